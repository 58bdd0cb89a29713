import { toIso } from "../times.ts";
import {
	statusOf,
	type WebhookEventRow,
	waitingForOf,
} from "./webhook-event-view.ts";

/** The delivery of the same record that another one waits for. */
export interface Blocker {
	readonly uuid: string;
	readonly sequence: number;
	readonly attempts: number;
	readonly passAt: number | null;
}

const RULES = {
	schedule: "by the retry schedule",
	retry_after: "because the endpoint asked for that time (Retry-After)",
	overload_floor:
		"because an endpoint that is overloaded or silent is left alone for 60 s",
} as const;

/** Says in one or two sentences why a delivery is where it is, and what happens next. */
export function explainWebhookEvent(
	found: WebhookEventRow,
	blocker: Blocker | null,
	nowMs: number,
): string {
	const { row } = found;
	const attempts = `${row.attempts} ${row.attempts === 1 ? "attempt" : "attempts"}`;
	const finishedAt =
		row.finishedAt === null ? "" : ` at ${toIso(row.finishedAt)}`;
	switch (statusOf(found)) {
		case "delivered":
			return `Delivered${finishedAt}, with ${attempts}.`;
		case "failed":
			return row.attempts === 0
				? `Never sent: ${row.lastError}.`
				: `Given up${finishedAt} after ${attempts}: ${row.lastError}. It is kept and can be redelivered.`;
		case "dropped":
			return `Dropped${finishedAt}: ${row.lastError}. It can be redelivered.`;
		case "held": {
			const { pauseReason, pausedAt } = found.integration;
			const since = pausedAt === null ? "" : ` since ${toIso(pausedAt)}`;
			return `Held: the integration is paused${since} (${pauseReason}). It goes out after a resume.`;
		}
		case "delivering":
			return "An attempt is under way. Should its worker die, the delivery returns to the queue when the lease ends.";
		case "pending":
			return explainWait(found, blocker, nowMs);
	}
}

function explainWait(
	found: WebhookEventRow,
	blocker: Blocker | null,
	nowMs: number,
): string {
	const { row, integration } = found;
	const next = `attempt ${row.attempts + 1}`;
	const waitingFor = waitingForOf(found, nowMs);
	switch (waitingFor) {
		case "lane":
			return blocker ? explainBlocker(blocker) : "It waits for its turn.";
		case "release_rate":
			return `It is due. The integration was resumed and sends what it held, ${integration.releaseRate} a second.`;
		case "schedule":
		case "retry_after":
		case "overload_floor":
			return row.attempts === 0
				? `Its first attempt is planned for ${toIso(row.dueAt)}.`
				: `The last attempt failed: ${row.lastError}. It waits until ${toIso(row.dueAt)} for ${next}, ${RULES[waitingFor]}.`;
		default:
			return `It is due: the next free worker makes ${next}.`;
	}
}

function explainBlocker({ uuid, sequence, attempts, passAt }: Blocker): string {
	const failing = attempts > 0 ? `, which has failed ${attempts} times` : "";
	const until =
		passAt === null
			? "is finished or skipped"
			: `is finished or skipped, at the latest until ${toIso(passAt)}`;
	return `It waits for delivery ${uuid} (number ${sequence}) of the same record${failing}, until that one ${until}.`;
}
