import { isDeepStrictEqual } from "node:util";
import type { DealCommission } from "@partnerwire/contract/pricing";
import { eq } from "drizzle-orm";
import { checkCalculation } from "../commissions/check-calculation.ts";
import {
	readCalculation,
	storeCalculation,
	toCommission,
} from "../commissions/follow-deal.ts";
import { movePayouts } from "../commissions/move-payouts.ts";
import type { Change } from "../context/change.ts";
import type { Context } from "../context/context.ts";
import { loadValues } from "../custom-fields/engine/stored-values.ts";
import type { Handlers } from "../execute/handlers.ts";
import type { DealRow } from "./deal-view.ts";
import { deals } from "./deals.ts";

/** Replaces a deal's calculation, and makes the payments that are due at once. */
async function replace(
	row: DealRow["row"],
	{ calculation }: DealCommission,
	context: Context,
): Promise<{ total: number | null; payments: Change[] }> {
	const { db } = context;
	const { dealCommission, deal } = db.tables;
	await db.query
		.delete(dealCommission)
		.where(eq(dealCommission.dealUuid, row.uuid));
	const setTotal = (total: number | null) =>
		db.query
			.update(deal)
			.set({ totalCommissionValue: total })
			.where(eq(deal.uuid, row.uuid));
	if (!calculation) {
		await setTotal(null);
		return { total: null, payments: [] };
	}
	await storeCalculation(row.uuid, calculation, context);
	const values = (await loadValues(db, [row.uuid])).get(row.uuid);
	const { total, pay } = await toCommission(row, values, calculation, context);
	await setTotal(total);
	return { total, payments: await pay() };
}

/** The operations on the commission of a deal (docs/decisions.md#commission-of-a-deal). */
export const dealCommissionHandlers = {
	getDealCommission: async ({ params }, context) => {
		await deals.read(params.uuid, context);
		return { calculation: await readCalculation(params.uuid, context) };
	},

	setDealCommission: async ({ params: { uuid }, body }, context) => {
		const { row } = await deals.readLive(uuid, context);
		const { calculation } = body;
		const before = await readCalculation(uuid, context);
		if (calculation) await checkCalculation(calculation, before, context);
		const result = { calculation };
		if (isDeepStrictEqual(before, calculation)) return { result, changes: [] };
		await movePayouts(uuid, before, calculation, context);
		const { total, payments } = await replace(row, body, context);
		const shown = (
			{ calculation }: DealCommission,
			total_commission_value: number | null,
		) => (calculation ? { calculation, total_commission_value } : null);
		const change: Change = {
			entity: "lead_deal_commission",
			uuid,
			action: !before ? "created" : calculation ? "updated" : "deleted",
			before: shown({ calculation: before }, row.totalCommissionValue),
			after: shown(result, total),
			emits: await deals.touch(uuid, context),
		};
		return { result, changes: [change, ...payments] };
	},
} satisfies Partial<Handlers>;
