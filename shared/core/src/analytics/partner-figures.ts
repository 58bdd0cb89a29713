import type { AnalyticsQuery } from "@partnerwire/contract";
import {
	and,
	count,
	eq,
	inArray,
	isNull,
	type SQL,
	type SQLWrapper,
	sql,
} from "drizzle-orm";
import type { Context } from "../context/context.ts";
import type { Db } from "../db/db.ts";
import { whenDated, whenInDays } from "../resource/conditions.ts";
import { whenDirected } from "./partner-filters.ts";
import type { Days } from "./to-days.ts";

const rows = () => ({ rows: count() });
const toFigure = (query: SQLWrapper): SQL<number> =>
	sql<number>`${query}`.mapWith(Number);

/** The leads that each partner got in the days. */
export function countLeads(
	db: Db,
	query: AnalyticsQuery,
	{ start, end }: Days,
): SQL<number> {
	const { partner, lead } = db.tables;
	return toFigure(
		db.query
			.select(rows())
			.from(lead)
			.where(
				and(
					eq(lead.partnershipUuid, partner.uuid),
					whenInDays(lead.createdAt, start, end),
					isNull(lead.archivedAt),
					whenDirected(db, query),
				),
			),
	);
}

/** Whether a deal's stage is of a phase. It uses no index on stages: the deals are already limited to a partner. */
export const whenInPhase = (
	{ db, caller }: Context,
	phase: "closed_won" | "closed_lost",
): SQL => {
	const { deal, stage } = db.tables;
	const stages = db.query
		.select({ id: stage.id })
		.from(stage)
		.where(
			and(
				eq(stage.companyUuid, caller.companyUuid),
				eq(stage.entity, "deal"),
				eq(stage.phase, phase),
			),
		);
	return inArray(db.dialect.unindexed(deal.stageId), stages);
};

/** The deals that each partner got in the days: all, or those whose stage is of a phase. */
export function countDeals(
	{ query, tables: { partner, deal } }: Db,
	{ start, end }: Days,
	isInPhase?: SQL,
): SQL<number> {
	return toFigure(
		query
			.select(rows())
			.from(deal)
			.where(
				and(
					eq(deal.partnershipUuid, partner.uuid),
					whenInDays(deal.createdAt, start, end),
					isNull(deal.archivedAt),
					isInPhase,
				),
			),
	);
}

/** The enrolments of each partner's people in the days. */
export function countEnrollments(
	{ query, tables: { partner, enrollment } }: Db,
	{ start, end }: Days,
): SQL<number> {
	return toFigure(
		query
			.select(rows())
			.from(enrollment)
			.where(
				and(
					eq(enrollment.partnershipUuid, partner.uuid),
					whenInDays(enrollment.createdAt, start, end),
				),
			),
	);
}

/** The payments on each partner's deals whose date is one of the days. */
export function countPayments(
	{ query, tables: { partner, deal, payment } }: Db,
	{ start, end }: Days,
): SQL<number> {
	return toFigure(
		query
			.select(rows())
			.from(deal)
			.innerJoin(payment, eq(payment.dealUuid, deal.uuid))
			.where(
				and(
					eq(deal.partnershipUuid, partner.uuid),
					isNull(deal.archivedAt),
					whenDated(payment.paymentDate, start, end),
				),
			),
	);
}
