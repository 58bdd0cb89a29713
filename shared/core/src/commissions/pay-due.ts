import { and, eq } from "drizzle-orm";
import type { Change } from "../context/change.ts";
import type { Context } from "../context/context.ts";
import { insertRow, type RowOf } from "../db/insert-row.ts";
import { toPayment } from "./payment-view.ts";
import { toPaymentDate } from "./to-payment-date.ts";
import { type DuePayment, sumOf } from "./to-payments.ts";

interface PayableEntry {
	readonly stageId: number;
	readonly payments: readonly DuePayment[];
}

/** The category of the payments that a commission makes. */
const CATEGORY = "commission";

/**
 * Makes the payments of the entries whose payment stage is the deal's stage. Each entry is paid once: neither reaching
 * the stage again nor another calculation pays it twice. An entry whose amount is 0 is not paid. It is paid when the
 * amount changes.
 */
export async function payDue(
	{ uuid: dealUuid, stageId }: Pick<RowOf<"deal">, "uuid" | "stageId">,
	entries: readonly PayableEntry[],
	show: (minor: bigint) => number,
	context: Context,
): Promise<Change[]> {
	const reached = entries.filter((entry) => entry.stageId === stageId);
	if (typeof stageId !== "number" || reached.length === 0) return [];
	const { db, nowMs } = context;
	const { commissionPayout } = db.tables;
	const paid = await db.query
		.select({ place: commissionPayout.place })
		.from(commissionPayout)
		.where(
			and(
				eq(commissionPayout.dealUuid, dealUuid),
				eq(commissionPayout.stageId, stageId),
			),
		);
	const changes: Change[] = [];
	for (const [place, { payments }] of reached.entries()) {
		const isPaid = paid.some((payout) => payout.place === place);
		if (isPaid || sumOf(payments) === 0n) continue;
		await insertRow(db, "commissionPayout", {
			dealUuid,
			stageId,
			place,
			createdAt: nowMs,
		});
		for (const payment of payments.filter(({ amount }) => amount > 0n))
			changes.push(await pay(dealUuid, payment, show, context));
	}
	return changes;
}

async function pay(
	dealUuid: string,
	{ after, period, amount }: DuePayment,
	show: (minor: bigint) => number,
	{ db, caller, nowMs, newUuid }: Context,
): Promise<Change> {
	const row = {
		uuid: newUuid(),
		companyUuid: caller.companyUuid,
		dealUuid,
		paymentValue: show(amount),
		paymentDate: toPaymentDate(nowMs, after, period),
		category: CATEGORY,
		approved: false,
		completed: false,
		createdAt: nowMs,
		updatedAt: nowMs,
	};
	await insertRow(db, "payment", row);
	return {
		entity: "lead_deal_payment",
		uuid: row.uuid,
		action: "created",
		before: null,
		after: toPayment({ row }),
	};
}
