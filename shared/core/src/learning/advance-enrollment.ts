import { ApiError, type EnrollmentUpdate } from "@partnerwire/contract";
import type { RowOf } from "../db/insert-row.ts";

/** What the progress of a learner changes of an enrolment. */
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

/** All there is to learn. */
const WHOLE = 100;

/**
 * Moves an enrolment on by what a learner did, along enrolled → in_progress → completed or failed, and failed →
 * in_progress on a retake; one request may go several steps. docs/decisions.md has the table. Throws 409 for a change of
 * a completed one.
 *
 * @param passScore the certification's, or null where it has no assessment: then all progress completes it
 */
export function advanceEnrollment(
	before: EnrollmentState,
	given: EnrollmentUpdate,
	passScore: number | null,
	nowMs: number,
): EnrollmentState {
	const {
		progress_percentage: progress = before.progressPercentage,
		assessment_score: score,
	} = given;
	const isJudged = score !== undefined && passScore !== null;
	const isPassed = isJudged && score >= passScore;
	const isCompleted = passScore === null ? progress === WHOLE : isPassed;
	const isNews =
		progress !== before.progressPercentage ||
		(score !== undefined && score !== before.assessmentScore);
	const isSaid = given.progress_percentage !== undefined || score !== undefined;
	const isDone = before.status === "completed";
	// The same again changes nothing, unless it is enough by now: the pass score may have changed.
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
	/** A retake begins without a score. */
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
