import { isDeepStrictEqual } from "node:util";
import type { DealCommission } from "@partnerwire/contract/pricing";
import { eq } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import { insertRow } from "../db/insert-row.ts";

type Calculation = DealCommission["calculation"];

/**
 * Where each entry of a stage stood before: the same entry at its old place, wherever it is now; an edited one at the place
 * that it still has, if no other came from there.
 */
export function toOrigins<Entry>(
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
 * Lets what was paid follow its entry when a deal's calculation is replaced, so that no entry is paid twice or for another.
 * A calculation that is taken away and set again finds its entries as they were.
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
				(one) => one.stageId === stageId && one.place === origin,
			);
			if (!row) continue;
			const { createdAt } = row;
			const moved = { dealUuid, stageId, place, createdAt };
			await insertRow(db, "commissionPayout", moved);
		}
	}
}
