import * as z from "zod";
import { nestedCrud } from "../../table/crud.ts";
import { timestamp } from "../../table/text.ts";
import { Uuid } from "../../table/uuid.ts";

/* Enrolments of learners in certifications, and their rows in reports. */

/** How far a learner is with a certification (docs/contract.md#states). */
export const EnrollmentStatus = z.enum([
	"enrolled",
	"in_progress",
	"completed",
	"failed",
]);
export type EnrollmentStatus = z.infer<typeof EnrollmentStatus>;

/** A percentage: of the material, or of an assessment's points. */
export const percentage = () => z.number().min(0).max(100);

/** A row of an enrolment report: exactly the 17 members of the contract (docs/contract.md#other-resources). */
export const EnrollmentRow = z.object({
	uuid: z.string(),
	user_uuid: z.string(),
	first_name: z.string(),
	last_name: z.string(),
	email: z.string(),
	profile_image_uuid: z.string().nullable(),
	partner_uuid: z.string().nullable(),
	partner_company_name: z.string().nullable(),
	certification_uuid: z.string(),
	certification_name: z.string(),
	status: EnrollmentStatus,
	progress_percentage: z.number(),
	assessment_best_score: z.number().nullable(),
	assessment_passed: z.boolean().nullable(),
	enrolled_at: timestamp(),
	started_at: timestamp().nullable(),
	completed_at: timestamp().nullable(),
});
export type EnrollmentRow = z.infer<typeof EnrollmentRow>;

/** A learner's enrolment in a certification; `assessment_score` is that of the attempt under way. */
export const Enrollment = EnrollmentRow.extend({
	assessment_score: z.number().nullable(),
	created_at: timestamp(),
	updated_at: timestamp(),
});
export type Enrollment = z.infer<typeof Enrollment>;

/** `partnership_uuid` says for which partner the user learns. */
export const EnrollmentCreate = z.object({
	user_uuid: Uuid,
	partnership_uuid: Uuid.nullable().optional(),
});
export type EnrollmentCreate = z.infer<typeof EnrollmentCreate>;

/** A learner's progress. The status follows from it (docs/decisions.md#enrolments-of-certifications). */
export const EnrollmentUpdate = z
	.object({ progress_percentage: percentage(), assessment_score: percentage() })
	.partial();
export type EnrollmentUpdate = z.infer<typeof EnrollmentUpdate>;

export const enrollmentOperations = nestedCrud({
	parent: "/v1/certifications/{uuid}",
	group: "Certifications",
	noun: "CertificationEnrollment",
	plural: "CertificationEnrollments",
	segment: "enrollments",
	item: Enrollment,
	create: EnrollmentCreate,
	update: EnrollmentUpdate,
});
