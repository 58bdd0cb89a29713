import * as z from "zod";
import {
	pageOf,
	pageQuery,
	queryInteger,
	querySet,
} from "../table/list-query.ts";
import { defineRead } from "../table/operation.ts";
import { PartnerType } from "../table/references.ts";
import { calendarDate } from "../table/text.ts";
import { Uuid } from "../table/uuid.ts";
import { EnrollmentRow, EnrollmentStatus } from "./content/enrollment.ts";
import { LeadDirection } from "./lead.ts";

/* Reports on enrolments, partners, leads, deals and payments. */

/** The reporting periods. docs/decisions.md#reports-days says which days each one has. */
export const AnalyticsPeriod = z.enum([
	"current_year",
	"last_year",
	"current_quarter",
	"last_quarter",
	"current_month",
	"last_month",
	"last_30_days",
	"last_90_days",
	"last_6_months",
	"last_12_months",
]);
export type AnalyticsPeriod = z.infer<typeof AnalyticsPeriod>;

const parameters = {
	period: AnalyticsPeriod.default("current_year"),
	start_date: calendarDate().optional(),
	end_date: calendarDate().optional(),
	partner_type: PartnerType.optional(),
	lead_direction: z.enum([...LeadDirection.options, "all"]).default("all"),
	partner_uuids: querySet(Uuid).optional(),
	category_uuids: querySet(Uuid).optional(),
	tier_uuids: querySet(Uuid).optional(),
	stage_uuids: querySet(Uuid).optional(),
};

/** Compares as text: dates as `YYYY-MM-DD` sort like text. */
const isInOrder = (query: {
	start_date?: string | undefined;
	end_date?: string | undefined;
}) =>
	query.start_date === undefined ||
	query.end_date === undefined ||
	query.start_date <= query.end_date;
const IN_ORDER = {
	path: ["start_date"],
	error: "must not be after end_date",
};

/** The parameters of every report. */
const analyticsQuery = z.object(parameters).refine(isInOrder, IN_ORDER);
export type AnalyticsQuery = z.output<typeof analyticsQuery>;

/** `limit` bounds the rows of all pages together, and is the default of `per_page` (docs/decisions.md#reports-rows). */
const paging = {
	...pageQuery,
	per_page: queryInteger("per_page", { maximum: 100 }).optional(),
	limit: queryInteger("limit", { maximum: 100 }).optional(),
};

/** The parameters of the reports that list rows. */
const analyticsListQuery = z
	.object({ ...parameters, ...paging })
	.refine(isInOrder, IN_ORDER);

/** The statuses that enrolments can be listed by: the contract leaves out `enrolled`. */
const enrollmentsQuery = z
	.object({
		...parameters,
		...paging,
		status: EnrollmentStatus.exclude(["enrolled"]).default("in_progress"),
	})
	.refine(isInOrder, IN_ORDER);

/** The days of a report; the last one is included. */
const days = { start_date: z.string(), end_date: z.string() };

const counts = {
	enrolled_count: z.int(),
	in_progress_count: z.int(),
	completed_count: z.int(),
	failed_count: z.int(),
};

/** Enrolments by the status that they got in the period and still have. */
export const LmsSummary = z.object({
	...days,
	...counts,
	enrollments_count: z.int(),
	completion_percentage: z.number().nullable(),
	average_progress_percentage: z.number().nullable(),
	average_assessment_best_score: z.number().nullable(),
	certifications: z.array(
		z.object({
			certification_uuid: z.string(),
			certification_name: z.string(),
			...counts,
		}),
	),
});
export type LmsSummary = z.infer<typeof LmsSummary>;

const partner = {
	partner_uuid: z.string(),
	partner_company_name: z.string(),
	partner_type: PartnerType,
};

/** Money is summed per currency. The currency is null for deals without one. */
const CurrencyAmount = z.object({
	currency_code: z.string().nullable(),
	amount: z.number(),
});

/** The leads and deals that a partner brought in. */
export const PartnerFigures = z.object({
	...partner,
	leads_count: z.int(),
	deals_count: z.int(),
	won_deals_count: z.int(),
	lost_deals_count: z.int(),
	won_deals_value: z.array(CurrencyAmount),
});
export type PartnerFigures = z.infer<typeof PartnerFigures>;

/** The activity of a partner. */
export const PartnerEngagement = z.object({
	...partner,
	leads_count: z.int(),
	deals_count: z.int(),
	enrollments_count: z.int(),
	activities_count: z.int(),
});
export type PartnerEngagement = z.infer<typeof PartnerEngagement>;

/** The payments on a partner's deals. */
export const PartnerCommissions = z.object({
	...partner,
	payments_count: z.int(),
	totals: z.array(
		CurrencyAmount.extend({
			approved_amount: z.number(),
			completed_amount: z.number(),
		}),
	),
});
export type PartnerCommissions = z.infer<typeof PartnerCommissions>;

/** The number of leads over time: one point for each day, month or year, named by its first day. */
export const LeadsTimeline = z.object({
	...days,
	interval: z.enum(["day", "month", "year"]),
	leads_count: z.int(),
	points: z.array(
		z.object({
			date: z.string(),
			leads_count: z.int(),
			converted_count: z.int(),
		}),
	),
});
export type LeadsTimeline = z.infer<typeof LeadsTimeline>;

const group = "Analytics";

export const analyticsOperations = {
	listEnrollmentAnalytics: defineRead({
		replica: true,
		group,
		path: "/v1/analytics/lms/enrollments",
		summary: "List the learners who got a status in a period",
		query: enrollmentsQuery,
		response: pageOf(EnrollmentRow),
	}),
	getLmsSummary: defineRead({
		replica: true,
		group,
		path: "/v1/analytics/lms/summary",
		summary: "Sum up the enrolments of a period",
		query: analyticsQuery,
		response: LmsSummary,
	}),
	listPartnerAnalytics: defineRead({
		replica: true,
		group,
		path: "/v1/analytics/partners",
		summary: "List what each partner brought in, most won deals first",
		query: analyticsListQuery,
		response: pageOf(PartnerFigures),
	}),
	getLeadsTimeline: defineRead({
		replica: true,
		group,
		path: "/v1/analytics/partners/leads-timeline",
		summary: "Get how the number of leads went",
		query: analyticsQuery,
		response: LeadsTimeline,
	}),
	listPartnerEngagement: defineRead({
		replica: true,
		group,
		path: "/v1/analytics/engagement/partners",
		summary: "List what each partner did, the most active first",
		query: analyticsListQuery,
		response: pageOf(PartnerEngagement),
	}),
	listCommissionAnalytics: defineRead({
		replica: true,
		group,
		path: "/v1/analytics/commissions",
		summary: "List the payments of commission of each partner, most first",
		query: analyticsListQuery,
		response: pageOf(PartnerCommissions),
	}),
};
