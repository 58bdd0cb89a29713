import type { Db, PostgresStatements } from "../../db/db.ts";
import { partition } from "../../values/partition.ts";
import { countUnderWay } from "../sql/claim.postgres.ts";
import type { ClaimRoom } from "./claim-due.ts";

/**
 * Integrations that a claim begins with; of others it claims when these have too little. Several deliveries of each cost less
 * than one of many, whose counters are to be written too, and leave the others to other workers.
 */
const FIRST = 64;

/** Integrations among which a claim looks for those of which nobody else has anything: at least, and at most. */
const LOOKED_AT = [64, 256] as const;
/** Integrations of a group at least: some have nothing to give, because others hold their rows or they are out of tokens. */
const LEAST = 16;

/**
 * Integrations with due heads in the order in which they are claimed for: of a group evenly, of the next what is left over. On
 * PostgreSQL those come first, if wanted, of which no other worker has anything under way: two workers that hold deliveries of
 * the same integrations keep each other from settling. So each comes to have its own, and takes of the others' what is left.
 */
export async function* groupDue(
	{ postgres }: Db,
	due: AsyncGenerator<number>,
	{ limit, across }: ClaimRoom,
): AsyncGenerator<number[]> {
	if (postgres && across?.freeFirst) {
		const [least, most] = LOOKED_AT;
		const ids = await takeUpTo(due, Math.min(most, Math.max(least, 4 * limit)));
		const [free, shared] = await divideByUse(postgres, ids, across);
		yield* chunk(free, Math.min(FIRST, limit));
		yield* chunk(shared, limit);
	} else yield* chunk(await takeUpTo(due, Math.min(FIRST, limit)), limit);
	yield* chunk(await takeUpTo(due, limit), limit);
}

/** Those of which no other worker has anything, and those of which others have, but not all that may be under way. */
async function divideByUse(
	run: PostgresStatements,
	ids: readonly number[],
	across: NonNullable<ClaimRoom["across"]>,
) {
	const counts = ids.length > 1 ? await countUnderWay(run, ids) : new Map();
	const underWay = (id: number): number => counts.get(id) ?? 0;
	const [free, shared] = partition(
		ids,
		(id) => countElsewhere(id, underWay(id), across) === 0,
	);
	return [free, shared.filter((id) => underWay(id) < across.most)] as const;
}

function* chunk(ids: readonly number[], size: number): Generator<number[]> {
	const step = Math.max(size, LEAST);
	for (let at = 0; at < ids.length; at += step) yield ids.slice(at, at + step);
}

/** How many deliveries of an integration other workers have under way, of all that are. */
export const countElsewhere = (
	id: number,
	underWay: number,
	{ heldHere }: NonNullable<ClaimRoom["across"]>,
): number => Math.max(0, underWay - heldHere(id));

async function takeUpTo<Item>(
	items: AsyncIterator<Item>,
	most: number,
): Promise<Item[]> {
	const taken: Item[] = [];
	while (taken.length < most) {
		const { done, value } = await items.next();
		if (done) break;
		taken.push(value);
	}
	return taken;
}
