import { isDeepStrictEqual } from "node:util";
import type { DealCommission } from "@partnerwire/contract/pricing";
import { eq } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import { insertRow } from "../db/insert-row.ts";

type Calculation = DealCommission["calculation"];

/**
 * The old place of each entry of a stage. An equal entry keeps its old place, wherever it is now. An edited entry has
 * the place where it is, unless an equal entry came from there.
 */
function toOrigins<Entry>(
	before: readonly Entry[],
	after: readonly Entry[],
): (number | undefined)[] {
	const free = new Set(before.keys());
	const take = (place: number | undefined) => {
		if (place === undefined || !free.delete(place)) return undefined;
		return place;
	};
	const same = after.map((entry) =>
		take([...free].find((place) => isDeepStrictEqual(before[place], entry))),
	);
	return same.map((place, index) => place ?? take(index));
}

const entriesAt = (calculation: Calculation, stageId: number) =>
	(calculation?.entries ?? []).filter(
		({ payment_stage_id }) => payment_stage_id === stageId,
	);

/**
 * When a deal's calculation is replaced, moves the records of paid entries with their entries, so that no entry is paid
 * twice or in place of another. A calculation that is removed and set again finds its entries as they were.
 */
export async function movePayouts(
	dealUuid: string,
	before: Calculation,
	after: Calculation,
	{ db }: Context,
): Promise<void> {
	if (!before || !after) return;
	const { commissionPayout } = db.tables;
	const ofDeal = eq(commissionPayout.dealUuid, dealUuid);
	const paid = await db.query.select().from(commissionPayout).where(ofDeal);
	if (paid.length === 0) return;
	await db.query.delete(commissionPayout).where(ofDeal);
	for (const stageId of new Set(paid.map((row) => row.stageId))) {
		const origins = toOrigins(
			entriesAt(before, stageId),
			entriesAt(after, stageId),
		);
		for (const [place, origin] of origins.entries()) {
			const row = paid.find(
				(payout) => payout.stageId === stageId && payout.place === origin,
			);
			if (!row) continue;
			const { createdAt } = row;
			const moved = { dealUuid, stageId, place, createdAt };
			await insertRow(db, "commissionPayout", moved);
		}
	}
}
