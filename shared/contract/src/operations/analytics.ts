import {
	analyticsListQuery,
	analyticsQuery,
	enrollmentsQuery,
	LeadsTimeline,
	LmsSummary,
	PartnerCommissions,
	PartnerEngagement,
	PartnerFigures,
} from "../resources/analytics.ts";
import { EnrollmentRow } from "../resources/content/enrollment.ts";
import { pageOf } from "../table/list-query.ts";
import { defineRead } from "../table/operation.ts";

const group = "Analytics";

/** Reports on enrolments, partners, leads, deals and payments. */
export const analyticsOperations = {
	listEnrollmentAnalytics: defineRead({
		group,
		path: "/v1/analytics/lms/enrollments",
		summary: "List the learners who got a status in a period",
		query: enrollmentsQuery,
		response: pageOf(EnrollmentRow),
	}),
	getLmsSummary: defineRead({
		group,
		path: "/v1/analytics/lms/summary",
		summary: "Sum up the enrolments of a period",
		query: analyticsQuery,
		response: LmsSummary,
	}),
	listPartnerAnalytics: defineRead({
		group,
		path: "/v1/analytics/partners",
		summary: "List what each partner brought in, most won deals first",
		query: analyticsListQuery,
		response: pageOf(PartnerFigures),
	}),
	getLeadsTimeline: defineRead({
		group,
		path: "/v1/analytics/partners/leads-timeline",
		summary: "Get how the number of leads went",
		query: analyticsQuery,
		response: LeadsTimeline,
	}),
	listPartnerEngagement: defineRead({
		group,
		path: "/v1/analytics/engagement/partners",
		summary: "List what each partner did, the most active first",
		query: analyticsListQuery,
		response: pageOf(PartnerEngagement),
	}),
	listCommissionAnalytics: defineRead({
		group,
		path: "/v1/analytics/commissions",
		summary: "List the payments of commission of each partner, most first",
		query: analyticsListQuery,
		response: pageOf(PartnerCommissions),
	}),
};
