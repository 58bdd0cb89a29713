import type { AnalyticsQuery } from "@partnerwire/contract";
import {
	type AnyColumn,
	and,
	eq,
	exists,
	inArray,
	isNull,
	ne,
	or,
	type SQL,
	sql,
} from "drizzle-orm";
import type { Context } from "../context/context.ts";
import type { Db } from "../db/db.ts";
import {
	whenEqual,
	whenOneOf,
	whenReferenced,
} from "../resource/conditions.ts";

/** The filters that find partners by an index of their own. The filter by partner type is separate. */
export function partnerFilters(
	db: Db,
	query: AnalyticsQuery,
): (SQL | undefined)[] {
	const { partner, category, tier, stage } = db.tables;
	return [
		whenOneOf(partner.uuid, query.partner_uuids),
		whenReferenced(db, partner.categoryId, category, query.category_uuids),
		whenReferenced(db, partner.tierId, tier, query.tier_uuids),
		whenReferenced(db, partner.stageId, stage, query.stage_uuids),
	];
}

/** Filters leads by direction. It applies only to referral partners (docs/decisions.md#reports-filters). */
export function whenDirected(
	{ tables: { partner, lead } }: Db,
	{ lead_direction: direction }: AnalyticsQuery,
): SQL | undefined {
	return direction === "all"
		? undefined
		: or(ne(partner.partnerType, "referral"), eq(lead.direction, direction));
}

/** Leaves out referral partners without a lead of the direction, for reports that do not count leads. */
export function whenLeading(db: Db, query: AnalyticsQuery): SQL | undefined {
	const { partner, lead } = db.tables;
	const { lead_direction: direction } = query;
	if (direction === "all") return undefined;
	const directed = db.query
		.select({ one: sql`1` })
		.from(lead)
		.where(
			and(
				eq(lead.partnershipUuid, partner.uuid),
				eq(lead.direction, direction),
				isNull(lead.archivedAt),
			),
		);
	return or(ne(partner.partnerType, "referral"), exists(directed));
}

/** Rows of partners that match the filters. Rows without a partner are left out only if there is such a filter. */
export function whenOfPartners(
	{ db, caller }: Context,
	column: AnyColumn,
	query: AnalyticsQuery,
): SQL | undefined {
	const { partner } = db.tables;
	const filters = [
		...partnerFilters(db, query),
		whenEqual(partner.partnerType, query.partner_type),
		whenLeading(db, query),
	];
	if (!filters.some(Boolean)) return undefined;
	const left = db.query
		.select({ uuid: partner.uuid })
		.from(partner)
		.where(and(eq(partner.companyUuid, caller.companyUuid), ...filters));
	return inArray(column, left);
}
