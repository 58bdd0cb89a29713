import type { AnalyticsQuery, Page, PartnerType } from "@partnerwire/contract";
import { type SQL, sql } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import type { Handlers } from "../execute/handlers.ts";
import { whenEqual } from "../resource/conditions.ts";
import { listPage } from "../resource/list-page.ts";
import { toPageRequest } from "./page-request.ts";
import {
	countDeals,
	countEnrollments,
	countLeads,
	countPayments,
	whenInPhase,
} from "./partner-figures.ts";
import { partnerFilters, whenLeading } from "./partner-filters.ts";
import { loadPaid, loadWonValues } from "./partner-money.ts";
import { type Days, toDays } from "./to-days.ts";

interface Partner {
	uuid: string;
	name: string;
	partnerType: PartnerType;
}
type Row<Figure extends string> = Record<Figure, number> & {
	partner: Partner;
};

const toPartner = ({ uuid, name, partnerType }: Partner) => ({
	partner_uuid: uuid,
	partner_company_name: name,
	partner_type: partnerType,
});

const uuidsOf = (rows: readonly { partner: Partner }[]) =>
	rows.map(({ partner }) => partner.uuid);

/** One page of the partners that match the filters, the highest figure first. */
function listByFigure<Figure extends string, Item>(
	query: AnalyticsQuery & Parameters<typeof toPageRequest>[0],
	{ db, caller }: Context,
	report: {
		readonly figures: Readonly<Record<Figure, SQL<number>>>;
		readonly most: NoInfer<Figure>;
		/** Filters beyond those of partners. */
		readonly filters?: readonly (SQL | undefined)[];
		toItems(rows: Row<Figure>[]): Item[] | Promise<Item[]>;
	},
): Promise<Page<Item>> {
	const { partner } = db.tables;
	const { uuid, name, partnerType } = partner;
	return listPage(db, toPageRequest(query, `-${report.most}`), {
		table: partner,
		query: db.query
			.select({ partner: { uuid, name, partnerType }, ...report.figures })
			.from(partner)
			.$dynamic(),
		scope: {
			companyUuid: caller.companyUuid,
			archived: { column: partner.archivedAt, only: false },
		},
		selective: partnerFilters(db, query),
		conditions: [
			whenEqual(partnerType, query.partner_type),
			...(report.filters ?? []),
		],
		sortable: report.figures,
		// The type of `listPage` does not know the figures that the query selects. Without rows it runs no further query.
		toItems: (rows) =>
			rows.length === 0 ? [] : report.toItems(rows as unknown as Row<Figure>[]),
	});
}

/** The reports with a row for each partner. */
export const partnerReportHandlers = {
	listPartnerAnalytics: ({ query }, context) => {
		const { db, nowMs } = context;
		const days: Days = toDays(query, nowMs);
		return listByFigure(query, context, {
			figures: {
				leads_count: countLeads(db, query, days),
				deals_count: countDeals(db, days),
				won_deals_count: countDeals(
					db,
					days,
					whenInPhase(context, "closed_won"),
				),
				lost_deals_count: countDeals(
					db,
					days,
					whenInPhase(context, "closed_lost"),
				),
			},
			most: "won_deals_count",
			async toItems(rows) {
				const wonBy = await loadWonValues(context, uuidsOf(rows), days);
				return rows.map(({ partner, ...figures }) => ({
					...toPartner(partner),
					...figures,
					won_deals_value: wonBy(partner.uuid),
				}));
			},
		});
	},

	listPartnerEngagement: ({ query }, context) => {
		const { db, nowMs } = context;
		const days = toDays(query, nowMs);
		const leads = countLeads(db, query, days);
		const deals = countDeals(db, days);
		const enrollments = countEnrollments(db, days);
		return listByFigure(query, context, {
			figures: {
				leads_count: leads,
				deals_count: deals,
				enrollments_count: enrollments,
				activities_count:
					sql<number>`${leads} + ${deals} + ${enrollments}`.mapWith(Number),
			},
			most: "activities_count",
			toItems: (rows) =>
				rows.map(({ partner, ...figures }) => ({
					...toPartner(partner),
					...figures,
				})),
		});
	},

	listCommissionAnalytics: ({ query }, context) => {
		const { db, nowMs } = context;
		const days = toDays(query, nowMs);
		return listByFigure(query, context, {
			figures: { payments_count: countPayments(db, days) },
			most: "payments_count",
			filters: [whenLeading(db, query)],
			async toItems(rows) {
				const paidTo = await loadPaid(db, uuidsOf(rows), days);
				return rows.map(({ partner, payments_count }) => ({
					...toPartner(partner),
					payments_count,
					totals: paidTo(partner.uuid),
				}));
			},
		});
	},
} satisfies Partial<Handlers>;
