import type { Enrollment, EnrollmentRow } from "@partnerwire/contract";
import { eq } from "drizzle-orm";
import type { Db } from "../db/db.ts";
import { toIso, toIsoOrNull, toTimes } from "../values/times.ts";

/** Selects enrolments with the learner, the partner and the certification. */
export const selectEnrollments = ({ query, tables }: Db) => {
	const { enrollment, user, partner, certification } = tables;
	return query
		.select({
			row: enrollment,
			learner: {
				firstName: user.firstName,
				lastName: user.lastName,
				email: user.email,
			},
			partner: { name: partner.name },
			certification: {
				label: certification.label,
				passScore: certification.assessmentPassScore,
			},
		})
		.from(enrollment)
		.innerJoin(user, eq(user.uuid, enrollment.userUuid))
		.innerJoin(
			certification,
			eq(certification.uuid, enrollment.certificationUuid),
		)
		.leftJoin(partner, eq(partner.uuid, enrollment.partnershipUuid))
		.$dynamic();
};

export type ViewedEnrollment = Awaited<
	ReturnType<typeof selectEnrollments>
>[number];

/** An enrolment with the 17 members of the contract. */
export const toEnrollmentRow = ({
	row,
	learner,
	partner,
	certification,
}: ViewedEnrollment): EnrollmentRow => ({
	uuid: row.uuid,
	user_uuid: row.userUuid,
	first_name: learner.firstName,
	last_name: learner.lastName,
	email: learner.email,
	profile_image_uuid: null,
	partner_uuid: row.partnershipUuid,
	partner_company_name: partner?.name ?? null,
	certification_uuid: row.certificationUuid,
	certification_name: certification.label,
	status: row.status,
	progress_percentage: row.progressPercentage,
	assessment_best_score: row.assessmentBestScore,
	assessment_passed: row.assessmentPassed,
	enrolled_at: toIso(row.createdAt),
	started_at: toIsoOrNull(row.startedAt),
	completed_at: toIsoOrNull(row.completedAt),
});

export const toEnrollment = (viewed: ViewedEnrollment): Enrollment => ({
	...toEnrollmentRow(viewed),
	assessment_score: viewed.row.assessmentScore,
	...toTimes(viewed.row),
});
