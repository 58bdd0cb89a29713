import type { Db, PostgresStatements } from "../../db/db.ts";
import { partition } from "../../values/partition.ts";
import { countUnderWay } from "../sql/claim.postgres.ts";
import type { ClaimRoom } from "./claim-due.ts";

/**
 * How many integrations a claim begins with; it goes on to others if these have too little. Several deliveries of each
 * are cheaper than one of many, because each integration's counters are written too. It also leaves the others to other
 * workers.
 */
const FIRST_INTEGRATIONS = 64;

/** How many integrations a claim examines to find those that no other worker is serving: at least, and at most. */
const EXAMINED = [64, 256] as const;
/**
 * The smallest group. Some integrations have nothing to give, because others hold their rows or they are out of tokens.
 */
const MIN_GROUP = 16;

/**
 * Groups integrations with due heads in the order of claiming: a claim is even within a group, and the next group gets
 * what is left. On PostgreSQL, with `freeFirst`, the integrations that no other worker is serving come first. Two
 * workers that hold deliveries of the same integration delay each other's results, so each worker comes to have its own
 * integrations and takes from the others only what is left.
 */
export async function* groupDue(
	{ postgres }: Db,
	due: AsyncGenerator<number>,
	{ limit, across }: ClaimRoom,
): AsyncGenerator<number[]> {
	if (postgres && across?.freeFirst) {
		const [least, most] = EXAMINED;
		const ids = await takeUpTo(due, Math.min(most, Math.max(least, 4 * limit)));
		const [free, shared] = await divideByUse(postgres, ids, across);
		yield* chunk(free, Math.min(FIRST_INTEGRATIONS, limit));
		yield* chunk(shared, limit);
	} else
		yield* chunk(
			await takeUpTo(due, Math.min(FIRST_INTEGRATIONS, limit)),
			limit,
		);
	yield* chunk(await takeUpTo(due, limit), limit);
}

/** Integrations that no other worker is serving, and those that others serve below their limit. */
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
	const step = Math.max(size, MIN_GROUP);
	for (let at = 0; at < ids.length; at += step) yield ids.slice(at, at + step);
}

/** How many of an integration's deliveries under way belong to other workers. */
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
