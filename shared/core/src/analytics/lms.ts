import { EnrollmentStatus, type LmsSummary } from "@partnerwire/contract";
import { and, asc, count, eq, inArray, sum } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import type { Handlers } from "../execute/handlers.ts";
import {
	selectEnrollments,
	toEnrollmentRow,
} from "../learning/enrollment-view.ts";
import { whenInDays } from "../resource/conditions.ts";
import { listPage } from "../resource/list-page.ts";
import { toPageRequest } from "./page-request.ts";
import { whenOfPartners } from "./partner-filters.ts";
import { toDays } from "./to-days.ts";

/** Rounds to two digits after the point. */
const round = (value: number) => Math.round(value * 100) / 100;

const average = (total: number, of: number) =>
	of === 0 ? null : round(total / of);

interface Group {
	certification: { uuid: string; label: string };
	status: EnrollmentStatus;
	enrollments: number;
	progress: number | null;
	assessed: number;
	bestScore: number | null;
}

const countOf = (groups: readonly Group[], status?: EnrollmentStatus) =>
	groups
		.filter((group) => status === undefined || group.status === status)
		.reduce((total, { enrollments }) => total + enrollments, 0);

const toCounts = (groups: readonly Group[]) => ({
	enrolled_count: countOf(groups, "enrolled"),
	in_progress_count: countOf(groups, "in_progress"),
	completed_count: countOf(groups, "completed"),
	failed_count: countOf(groups, "failed"),
});

const totalOf = (
	groups: readonly Group[],
	member: "progress" | "assessed" | "bestScore",
) => groups.reduce((total, group) => total + (group[member] ?? 0), 0);

function toCertifications(
	groups: readonly Group[],
): LmsSummary["certifications"] {
	const labels = new Map(
		groups.map(({ certification }) => [
			certification.uuid,
			certification.label,
		]),
	);
	return [...labels].map(([uuid, label]) => ({
		certification_uuid: uuid,
		certification_name: label,
		...toCounts(
			groups.filter(({ certification }) => certification.uuid === uuid),
		),
	}));
}

/** Reports on enrolments: those of one status over a period, and a summary of all. */
export const lmsHandlers = {
	listEnrollmentAnalytics: ({ query }, context) => {
		const { db, caller, nowMs } = context;
		const { enrollment } = db.tables;
		const { start, end } = toDays(query, nowMs);
		return listPage(db, toPageRequest(query, "-status_at"), {
			table: enrollment,
			query: selectEnrollments(db),
			conditions: [
				eq(enrollment.companyUuid, caller.companyUuid),
				eq(enrollment.status, query.status),
				whenInDays(enrollment.statusAt, start, end),
				whenOfPartners(context, enrollment.partnershipUuid, query),
			],
			sortable: { status_at: enrollment.statusAt },
			toItems: (rows) => rows.map(toEnrollmentRow),
		});
	},

	getLmsSummary: async ({ query }, context: Context) => {
		const { db, caller, nowMs } = context;
		const { enrollment, certification } = db.tables;
		const { start, end } = toDays(query, nowMs);
		const groups: Group[] = await db.query
			.select({
				certification: {
					uuid: certification.uuid,
					label: certification.label,
				},
				status: enrollment.status,
				enrollments: count(),
				progress: sum(enrollment.progressPercentage).mapWith(Number),
				assessed: count(enrollment.assessmentBestScore),
				bestScore: sum(enrollment.assessmentBestScore).mapWith(Number),
			})
			.from(enrollment)
			.innerJoin(
				certification,
				eq(certification.uuid, enrollment.certificationUuid),
			)
			.where(
				and(
					eq(enrollment.companyUuid, caller.companyUuid),
					// Naming all statuses lets the index by status and time be read as one range for each status.
					inArray(enrollment.status, EnrollmentStatus.options),
					whenInDays(enrollment.statusAt, start, end),
					whenOfPartners(context, enrollment.partnershipUuid, query),
				),
			)
			.groupBy(certification.uuid, certification.label, enrollment.status)
			.orderBy(asc(certification.label), asc(certification.uuid));
		const enrollments = countOf(groups);
		const assessed = totalOf(groups, "assessed");
		return {
			start_date: start,
			end_date: end,
			...toCounts(groups),
			enrollments_count: enrollments,
			completion_percentage: average(
				countOf(groups, "completed") * 100,
				enrollments,
			),
			average_progress_percentage: average(
				totalOf(groups, "progress"),
				enrollments,
			),
			average_assessment_best_score: average(
				totalOf(groups, "bestScore"),
				assessed,
			),
			certifications: toCertifications(groups),
		};
	},
} satisfies Partial<Handlers>;
