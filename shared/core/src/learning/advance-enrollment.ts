import { ApiError, type EnrollmentUpdate } from "@partnerwire/contract";
import type { RowOf } from "../db/insert-row.ts";

/** The columns of an enrolment that a learner's progress changes. */
export type EnrollmentState = Pick<
	RowOf<"enrollment">,
	| "status"
	| "statusAt"
	| "progressPercentage"
	| "assessmentScore"
	| "assessmentBestScore"
	| "assessmentPassed"
	| "startedAt"
	| "completedAt"
>;

/** The progress, in percent, of a learner who has finished. */
const WHOLE = 100;

/**
 * Applies a learner's progress to an enrolment (docs/decisions.md#enrolments-of-certifications): from enrolled to
 * in_progress to completed or failed, and from failed to in_progress on a retake. One request may go several steps.
 * Throws a 409 for a change of a completed enrolment.
 *
 * @param passScore the certification's pass score, or null without an assessment: then full progress completes it
 */
export function advanceEnrollment(
	before: EnrollmentState,
	update: EnrollmentUpdate,
	passScore: number | null,
	nowMs: number,
): EnrollmentState {
	const {
		progress_percentage: progress = before.progressPercentage,
		assessment_score: score,
	} = update;
	const isJudged = score !== undefined && passScore !== null;
	const isPassed = isJudged && score >= passScore;
	const isCompleted = passScore === null ? progress === WHOLE : isPassed;
	const isNews =
		progress !== before.progressPercentage ||
		(score !== undefined && score !== before.assessmentScore);
	const isSaid =
		update.progress_percentage !== undefined || score !== undefined;
	const isDone = before.status === "completed";
	// Equal values change nothing, unless they are enough now because the pass score has changed.
	if (!isNews && (isDone || !isSaid || !isCompleted)) return before;
	if (isDone)
		throw new ApiError(
			"conflict",
			"the enrolment is completed: it does not change any more",
		);
	const status = isCompleted
		? "completed"
		: isJudged
			? "failed"
			: "in_progress";
	// A retake begins without a score.
	const carried = before.status === "failed" ? null : before.assessmentScore;
	return {
		status,
		statusAt: status !== before.status || isJudged ? nowMs : before.statusAt,
		progressPercentage: isCompleted ? WHOLE : progress,
		assessmentScore: score ?? carried,
		assessmentBestScore: highest(before.assessmentBestScore, score),
		assessmentPassed: isJudged ? isPassed : before.assessmentPassed,
		startedAt: before.startedAt ?? nowMs,
		completedAt: isCompleted ? nowMs : null,
	};
}

const highest = (best: number | null, score: number | undefined) =>
	score === undefined ? best : Math.max(best ?? score, score);
