import type { Db, PostgresStatements } from "../../db/db.ts";
import { findDue, findNextWaiting } from "../sql/claim.ts";
import { type ClaimRoom, roomOf } from "./claim-room.ts";

interface DueOptions extends Omit<ClaimRoom, "limit"> {
	readonly nowMs: number;
}

/**
 * Finds the keys of active integrations that have a due head and room for it, each once; after the last comes the
 * first. It steps from one integration
 * to the next through the index of waiting heads: an integration without waiting deliveries costs nothing, and one with
 * a million costs a single step.
 */
export type FindDue = (options: DueOptions) => AsyncGenerator<number>;

/**
 * The finder for the database. On PostgreSQL the claims of one moment, one for each speed class, share the first
 * answer.
 */
export const createFindDue = (db: Db): FindDue =>
	db.postgres
		? createBatchedFindDue(db.postgres)
		: (options) => stepOneByOne(db, options);

async function* stepOneByOne(db: Db, o: DueOptions): AsyncGenerator<number> {
	const { nowMs, after = 0 } = o;
	for (const [from, to] of [
		[after, Number.POSITIVE_INFINITY],
		[0, after],
	] as const) {
		let [next] = await findNextWaiting(db, { after: from });
		while (next && next.id <= to) {
			if (next.isActive && next.dueAt <= nowMs && roomOf(next.id, o) >= 1)
				yield next.id;
			[next] = await findNextWaiting(db, { after: next.id });
		}
	}
}

/** How many integrations one statement looks for. */
const STEPS = 256;
const LAST = Number.MAX_SAFE_INTEGER;

/**
 * The finder on PostgreSQL: all integrations in one statement if they are few, otherwise `STEPS` of them for each
 * statement.
 */
function createBatchedFindDue(run: PostgresStatements): FindDue {
	let firstStep: Promise<number[]> | undefined;
	return async function* (o) {
		const { nowMs, after = 0 } = o;
		firstStep ??= findDue(run, { after: 0, to: LAST, nowMs, most: STEPS });
		const few = await firstStep;
		const found =
			few.length < STEPS
				? [
						...few.filter((id) => id > after),
						...few.filter((id) => id <= after),
					]
				: stepInBatches(run, nowMs, after);
		for await (const id of found) if (roomOf(id, o) >= 1) yield id;
	};
}

async function* stepInBatches(
	run: PostgresStatements,
	nowMs: number,
	begin: number,
): AsyncGenerator<number> {
	for (const [from, to] of [
		[begin, LAST],
		[0, begin],
	] as const) {
		for (let after = from; after < to; ) {
			const ids = await findDue(run, { after, to, nowMs, most: STEPS });
			yield* ids;
			if (ids.length < STEPS) break;
			after = ids.at(-1) as number;
		}
	}
}
