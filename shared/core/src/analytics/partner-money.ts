import {
	type AnyColumn,
	and,
	asc,
	eq,
	inArray,
	isNull,
	type SQL,
	sql,
} from "drizzle-orm";
import type { Context } from "../context/context.ts";
import type { Db } from "../db/db.ts";
import { whenDated, whenInDays } from "../resource/conditions.ts";
import { roundMoney } from "../values/money.ts";
import { whenInPhase } from "./partner-figures.ts";
import type { Days } from "./to-days.ts";

const sumOf = (column: AnyColumn): SQL<number> =>
	sql<number>`coalesce(sum(${column}), 0)`.mapWith(Number);
const sumWhere = (column: AnyColumn, condition: AnyColumn): SQL<number> =>
	sql<number>`coalesce(sum(case when ${condition} then ${column} end), 0)`.mapWith(
		Number,
	);

/** A partner's sum in one currency. Amounts in different currencies are never added. */
interface Sums {
	partnerUuid: string;
	currency: string | null;
}

/** Finds the sums of a partner, with amounts rounded to the digits of their currency. */
const byPartner =
	<Row extends Sums, Shown>(
		rows: readonly Row[],
		toShown: (row: Row, round: (amount: number) => number) => Shown,
	) =>
	(uuid: string): Shown[] =>
		rows
			.filter(({ partnerUuid }) => partnerUuid === uuid)
			.map((row) =>
				toShown(row, (amount) => roundMoney(amount, row.currency ?? undefined)),
			);

/** Loads the value of the won deals that were made in the days. A deal is won if the phase of its stage says so. */
export async function loadWonValues(
	context: Context,
	partnerUuids: readonly string[],
	{ start, end }: Days,
) {
	const { query, tables } = context.db;
	const { deal, currency } = tables;
	const rows = await query
		.select({
			partnerUuid: deal.partnershipUuid,
			currency: currency.code,
			amount: sumOf(deal.dealValue),
		})
		.from(deal)
		.leftJoin(currency, eq(currency.id, deal.currencyId))
		.where(
			and(
				inArray(deal.partnershipUuid, [...partnerUuids]),
				whenInPhase(context, "closed_won"),
				whenInDays(deal.createdAt, start, end),
				isNull(deal.archivedAt),
			),
		)
		.groupBy(deal.partnershipUuid, currency.code)
		.orderBy(asc(currency.code));
	return byPartner(rows, ({ currency, amount }, round) => ({
		currency_code: currency,
		amount: round(amount),
	}));
}

/** Loads the payments in the days on the deals of partners, and how much of them is approved and completed. */
export async function loadPaid(
	{ query, tables: { deal, payment, currency } }: Db,
	partnerUuids: readonly string[],
	{ start, end }: Days,
) {
	const { paymentValue, paymentDate, approved, completed } = payment;
	const rows = await query
		.select({
			partnerUuid: deal.partnershipUuid,
			currency: currency.code,
			amount: sumOf(paymentValue),
			approved: sumWhere(paymentValue, approved),
			completed: sumWhere(paymentValue, completed),
		})
		.from(deal)
		.innerJoin(payment, eq(payment.dealUuid, deal.uuid))
		.leftJoin(currency, eq(currency.id, deal.currencyId))
		.where(
			and(
				inArray(deal.partnershipUuid, [...partnerUuids]),
				isNull(deal.archivedAt),
				whenDated(paymentDate, start, end),
			),
		)
		.groupBy(deal.partnershipUuid, currency.code)
		.orderBy(asc(currency.code));
	return byPartner(rows, (row, round) => ({
		currency_code: row.currency,
		amount: round(row.amount),
		approved_amount: round(row.approved),
		completed_amount: round(row.completed),
	}));
}
