import {
	statusOf,
	type WebhookEventRow,
	waitingForOf,
} from "../delivery/emit/webhook-event-view.ts";
import { WAS_DELETED } from "../delivery/retention/drop-deleted.ts";
import { toIso } from "../values/times.ts";

/** The delivery of the same lane that another one waits for. */
export interface Blocker {
	readonly uuid: string;
	readonly sequence: number;
	readonly state: WebhookEventRow["row"]["state"];
	readonly attempts: number;
	readonly attemptsBefore: number;
	readonly dueAt: number;
	readonly passAt: number | null;
}

const RULES = {
	schedule: "by the retry schedule",
	retry_after: "because the endpoint asked for that time (Retry-After)",
	overload_floor:
		"because an endpoint that is overloaded or silent is left alone for 60 s",
} as const;

/** Explains in one sentence why a delivery is in its state, and what happens next. */
export function explainWebhookEvent(
	found: WebhookEventRow,
	blocker: Blocker | null,
	nowMs: number,
): string {
	switch (statusOf(found)) {
		case "delivered":
		case "failed":
		case "dropped":
			return explainEnd(found);
		case "held":
			return explainHold(found, blocker);
		case "delivering":
			return explainAttempt(found);
		case "pending":
			return `${capitalise(explainWait(found, blocker, nowMs))}${explainPassed(found)}.`;
	}
}

const capitalise = (text: string) =>
	text.charAt(0).toUpperCase() + text.slice(1);
const countOf = (count: number, noun: string) =>
	`${count} ${noun}${count === 1 ? "" : "s"}`;
const timesOf = (count: number) => (count === 1 ? "once" : `${count} times`);

/** An error message as part of a sentence, without its full stop. */
const causeOf = (lastError: string | null) =>
	(lastError ?? "no reason was recorded").replace(/\.+$/, "");

function explainEnd({ row, integration }: WebhookEventRow): string {
	const at = row.finishedAt === null ? "" : ` at ${toIso(row.finishedAt)}`;
	const isGone = integration.deletedAt !== null;
	const cause = causeOf(row.state === "pending" ? WAS_DELETED : row.lastError);
	if (row.state === "delivered") {
		const order = row.outOfOrder ? ", out of order" : "";
		const next = isGone
			? "its integration was deleted since"
			: "nothing more happens unless it is redelivered";
		return `Delivered${at} with attempt ${row.attempts}${order}; ${next}.`;
	}
	const next = isGone
		? "its integration was deleted, so it cannot be redelivered"
		: "it is kept and can be redelivered";
	if (row.state === "dropped") return `Dropped${at}: ${cause}; ${next}.`;
	return row.attempts === 0
		? `Never sent: ${cause}; it is kept, and nothing more happens.`
		: `Given up${at} after ${countOf(row.attempts, "attempt")}: ${cause}; ${next}.`;
}

function explainHold(
	{ row, integration }: WebhookEventRow,
	blocker: Blocker | null,
): string {
	const { pauseReason, pausedAt } = integration;
	const since = pausedAt === null ? "" : ` since ${toIso(pausedAt)}`;
	const reason = pauseReason === null ? "" : ` (${causeOf(pauseReason)})`;
	const after = blocker
		? `, after delivery ${blocker.uuid} (number ${blocker.sequence}) of the same record`
		: "";
	return `Held: the integration has been paused${since}${reason}; attempt ${row.attempts + 1} follows a resume${after}.`;
}

function explainAttempt({ row }: WebhookEventRow): string {
	const leaseEnd =
		row.leaseUntil === null
			? "when its lease ends"
			: `at ${toIso(row.leaseUntil)}, when its lease ends`;
	const until =
		row.workerId === null
			? leaseEnd
			: `within seconds, at the latest ${leaseEnd}`;
	return `Attempt ${row.attempts + 1} is under way; should its worker die, the delivery returns to the queue ${until}.`;
}

function explainWait(
	found: WebhookEventRow,
	blocker: Blocker | null,
	nowMs: number,
): string {
	const { row, integration } = found;
	const next = `attempt ${row.attempts + 1}`;
	const prefix = explainRepetition(found);
	const waitingFor = waitingForOf(found, nowMs);
	switch (waitingFor) {
		case "lane":
			return blocker
				? `${prefix}it waits for ${explainBlocker(blocker, nowMs)}`
				: `${prefix}it waits for its turn in the order of its record`;
		case "release_rate":
			return `${prefix}it is due: the integration was resumed and sends what it held, ${releaseRateOf(integration)} a second, so ${next} follows in its turn`;
		case "schedule":
		case "retry_after":
		case "overload_floor":
			return row.attempts === row.attemptsBefore
				? `${prefix}it is planned: ${next} is made at ${toIso(row.dueAt)}`
				: `the last attempt failed: ${causeOf(row.lastError)}; ${next} is made at ${toIso(row.dueAt)}, ${RULES[waitingFor]}`;
		default:
			return `${prefix}it is due: the next free worker makes ${next}${boundOf(integration)}`;
	}
}

type Integration = WebhookEventRow["integration"];

const releaseRateOf = ({ releaseRate, maxPerSecond }: Integration) =>
	Math.min(
		releaseRate ?? Number.POSITIVE_INFINITY,
		maxPerSecond ?? Number.POSITIVE_INFINITY,
	);
const boundOf = ({ maxPerSecond }: Integration) =>
	maxPerSecond === null
		? ""
		: `, within the ${maxPerSecond} a second that the integration takes`;

/** For a delivery that was sent before: redelivered, or part of a replay. */
const explainRepetition = ({ row }: WebhookEventRow) =>
	row.attemptsBefore > 0 && row.attempts === row.attemptsBefore
		? `given back to the queue after ${countOf(row.attempts, "attempt")}, `
		: "";

const explainPassed = ({ row }: WebhookEventRow) =>
	row.passed ? "; later deliveries of its record do not wait for it" : "";

function explainBlocker(blocker: Blocker, nowMs: number): string {
	const { uuid, sequence, passAt } = blocker;
	const until = passAt === null ? "" : `, or at ${toIso(passAt)} at the latest`;
	return `delivery ${uuid} (number ${sequence}) of the same record, ${progressOf(blocker, nowMs)}; it goes once that one is finished or skipped${until}`;
}

function progressOf(blocker: Blocker, nowMs: number): string {
	const failures = blocker.attempts - blocker.attemptsBefore;
	const failed = failures > 0 ? `has failed ${timesOf(failures)} and ` : "";
	if (blocker.state === "delivering") return `which ${failed}is under way`;
	return blocker.dueAt > nowMs
		? `which ${failed}is tried again at ${toIso(blocker.dueAt)}`
		: `which ${failed}is due`;
}
