import {
	ApiError,
	type EnrollmentCreate,
	type EnrollmentUpdate,
} from "@partnerwire/contract";
import { and, eq } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import type { Handlers } from "../execute/handlers.ts";
import { createParts } from "../resource/create-parts.ts";
import type { References } from "../resource/references.ts";
import { advanceEnrollment } from "./advance-enrollment.ts";
import { certifications } from "./certifications.ts";
import { selectEnrollments, toEnrollment } from "./enrollment-view.ts";

/** Throws a 409 if the learner is enrolled already (docs/decisions.md#enrolments). */
async function refuseEnrolled(
	certificationUuid: string,
	{ uuid, email }: { uuid: string; email: string },
	{ db }: Context,
): Promise<void> {
	const { enrollment } = db.tables;
	const [enrolled] = await db.query
		.select({ uuid: enrollment.uuid })
		.from(enrollment)
		.where(
			and(
				eq(enrollment.certificationUuid, certificationUuid),
				eq(enrollment.userUuid, uuid),
			),
		);
	if (enrolled)
		throw new ApiError(
			"conflict",
			`the user ${email} is already enrolled in the certification`,
		);
}

/** The columns of a new enrolment. */
async function enroll(
	certificationUuid: string,
	body: EnrollmentCreate,
	references: References,
	context: Context,
) {
	const user = await references.find("user", "user_uuid", body.user_uuid);
	const partner = await references.find(
		"partner",
		"partnership_uuid",
		body.partnership_uuid,
	);
	references.refuseInvalid();
	await refuseEnrolled(certificationUuid, user, context);
	return {
		userUuid: user.uuid,
		partnershipUuid: partner?.uuid ?? null,
		status: "enrolled" as const,
		statusAt: context.nowMs,
		progressPercentage: 0,
	};
}

const enrollments = createParts({
	table: "enrollment",
	entity: "certification_enrollment",
	noun: "enrolment",
	// A learner's progress does not change the certification.
	parents: { ...certifications, touch: async () => undefined },
	column: "certificationUuid",
	select: selectEnrollments,
	toShown: toEnrollment,
	toColumns: async (
		body: EnrollmentUpdate | EnrollmentCreate,
		references,
		{ context, parentUuid, viewed },
	) =>
		viewed
			? advanceEnrollment(
					viewed.row,
					body as EnrollmentUpdate,
					viewed.certification.passScore,
					context.nowMs,
				)
			: enroll(parentUuid, body as EnrollmentCreate, references, context),
}).handlers;

/** The operations on the enrolments of a certification. */
export const enrollmentHandlers = {
	listCertificationEnrollments: enrollments.list,
	createCertificationEnrollment: enrollments.create,
	updateCertificationEnrollment: enrollments.update,
	deleteCertificationEnrollment: enrollments.remove,
} satisfies Partial<Handlers>;
