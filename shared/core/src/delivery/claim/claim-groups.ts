import type { Db, PostgresStatements } from "../../db/db.ts";
import { partition } from "../../values/partition.ts";
import { countUnderWay } from "../sql/claim.ts";
import type { AcrossWorkers, ClaimOptions, ClaimRoom } from "./claim-room.ts";

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
	{ limit, across }: ClaimOptions & ClaimRoom,
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
	across: AcrossWorkers,
) {
	if (ids.length < 2) return [ids, []] as const;
	const uses = await readUses(run, ids, across);
	const [free, shared] = partition(ids, (id) => !uses.get(id)?.byOthers);
	const isBelow = (id: number) => (uses.get(id)?.total ?? 0) < across.most;
	return [free, shared.filter(isBelow)] as const;
}

function* chunk(ids: readonly number[], size: number): Generator<number[]> {
	const step = Math.max(size, MIN_GROUP);
	for (let at = 0; at < ids.length; at += step) yield ids.slice(at, at + step);
}

/** An integration's deliveries under way, over all workers and with others than this one. */
interface Use {
	readonly total: number;
	readonly byOthers: number;
}

/** Counts the deliveries under way of those integrations that have any. */
export async function readUses(
	run: PostgresStatements,
	ids: readonly number[],
	{ heldHere }: AcrossWorkers,
): Promise<Map<number, Use>> {
	const rows = await countUnderWay(run, ids);
	const held = new Map<number, number>();
	for (const { integrationId } of heldHere)
		held.set(integrationId, (held.get(integrationId) ?? 0) + 1);
	return new Map(
		rows.map(({ id, total }) => {
			const byOthers = Math.max(0, total - (held.get(id) ?? 0));
			return [id, { total, byOthers }];
		}),
	);
}

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
