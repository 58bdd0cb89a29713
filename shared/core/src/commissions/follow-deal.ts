import type { CommissionCalculation } from "@partnerwire/contract/pricing";
import { eq, sql } from "drizzle-orm";
import type { Change } from "../context/change.ts";
import type { Context } from "../context/context.ts";
import type { ValuesRow } from "../custom-fields/engine/stored-values.ts";
import { insertRow, type RowOf } from "../db/insert-row.ts";
import { defineQuery } from "../db/prepared.ts";
import type { Followed } from "../resource/record-kind.ts";
import { fromMinor } from "../values/decimal.ts";
import { digitsOf } from "../values/money.ts";
import { findRuleFor } from "./find-rule-for.ts";
import { payDue } from "./pay-due.ts";
import {
	type DealFacts,
	type DuePayment,
	sumOf,
	toPayments,
} from "./to-payments.ts";

type DealColumns = RowOf<"deal">;

const findCommission = defineQuery(
	"commission_of_deal",
	({ query, tables: { dealCommission } }) =>
		query
			.select()
			.from(dealCommission)
			.where(eq(dealCommission.dealUuid, sql.placeholder("dealUuid"))),
);

/** The calculation of a deal; null if it has none. */
export async function readCalculation(
	dealUuid: string,
	{ db }: Pick<Context, "db">,
): Promise<CommissionCalculation | null> {
	const [found] = await findCommission(db, { dealUuid });
	return found ? JSON.parse(found.calculation) : null;
}

export async function storeCalculation(
	dealUuid: string,
	calculation: CommissionCalculation,
	{ db, caller, nowMs }: Context,
): Promise<void> {
	await insertRow(db, "dealCommission", {
		dealUuid,
		companyUuid: caller.companyUuid,
		calculation: JSON.stringify(calculation),
		createdAt: nowMs,
		updatedAt: nowMs,
	});
}

async function toFacts(
	{ dealValue, currencyId }: Pick<DealColumns, "dealValue" | "currencyId">,
	values: ValuesRow | undefined,
	{ db }: Context,
): Promise<DealFacts> {
	const { currency } = db.tables;
	const [found] =
		typeof currencyId === "number"
			? await db.query
					.select({ code: currency.code })
					.from(currency)
					.where(eq(currency.id, currencyId))
			: [];
	return {
		dealValue: dealValue ?? null,
		digits: digitsOf(found?.code),
		optionOf: (fieldId) => {
			const option = values?.entries.get(fieldId)?.value;
			return typeof option === "number" ? option : undefined;
		},
	};
}

/** The total of a commission for these columns of the deal, and a function that makes the payments that are due. */
export async function toCommission(
	row: DealColumns,
	values: ValuesRow | undefined,
	calculation: CommissionCalculation,
	context: Context,
): Promise<{ total: number; pay: () => Promise<Change[]> }> {
	const dealFacts = await toFacts(row, values, context);
	const entries = calculation.entries.map((entry) => ({
		stageId: entry.payment_stage_id,
		payments: toPayments(entry, dealFacts),
	}));
	const show = (minor: bigint) => fromMinor(minor, dealFacts.digits);
	const allPayments: DuePayment[] = entries.flatMap(({ payments }) => payments);
	return {
		total: show(sumOf(allPayments)),
		pay: () => payDue(row, entries, show, context),
	};
}

/** Updates a deal's commission after a change of the deal. A new deal takes the calculation of the rule that fits. */
export async function followDeal(
	row: DealColumns,
	values: ValuesRow | undefined,
	isNew: boolean,
	context: Context,
): Promise<Followed<DealColumns> | null> {
	const { totalCommissionValue } = row;
	const hasNone = !isNew && typeof totalCommissionValue !== "number";
	if (hasNone) return null;
	const calculation = isNew
		? await findRuleFor(row.partnershipUuid, context)
		: await readCalculation(row.uuid, context);
	if (!calculation) return null;
	const { total, pay } = await toCommission(row, values, calculation, context);
	return {
		columns: { totalCommissionValue: total },
		cascade: async () => {
			if (!isNew) return pay();
			await storeCalculation(row.uuid, calculation, context);
			const taken: Change = {
				entity: "lead_deal_commission",
				uuid: row.uuid,
				action: "created",
				before: null,
				after: { calculation },
			};
			return [taken, ...(await pay())];
		},
	};
}
