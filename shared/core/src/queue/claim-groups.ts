import { countUnderWay } from "../db/claim.postgres.ts";
import type { Db, PostgresStatements } from "../db/db.ts";
import type { ClaimRoom } from "./claim-due.ts";
import { divide } from "./divide.ts";

/**
 * Integrations that a claim begins with; of others it claims when these have too little. Several deliveries of each cost less
 * than one of many, whose counters are to be written too, and leave the others to other workers.
 */
const FIRST = 64;

/** Integrations among which a claim looks for those of which nobody else has anything. */
const LOOKED_AT = 256;

/** Integrations with due heads in the order in which they are claimed for: of a group evenly, of the next what is left over. */
export async function* groupDue(
	{ postgres }: Db,
	due: AsyncGenerator<number>,
	{ limit, across }: ClaimRoom,
): AsyncGenerator<number[]> {
	if (postgres && across) yield* groupFreeFirst(postgres, due, across);
	else yield await takeUpTo(due, Math.min(FIRST, limit));
	yield await takeUpTo(due, limit);
}

/**
 * First those of which no other worker has anything under way: two workers that hold deliveries of the same integrations keep
 * each other from settling. So each comes to have its own, and takes of the others' what is left over.
 */
async function* groupFreeFirst(
	run: PostgresStatements,
	due: AsyncGenerator<number>,
	across: NonNullable<ClaimRoom["across"]>,
): AsyncGenerator<number[]> {
	const ids = await takeUpTo(due, LOOKED_AT);
	const underWay = ids.length > 1 ? await countUnderWay(run, ids) : new Map();
	const [free, shared] = divide(
		ids,
		(id) => countElsewhere(id, underWay.get(id) ?? 0, across) === 0,
	);
	yield free.slice(0, FIRST);
	yield free.slice(FIRST);
	yield shared;
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
