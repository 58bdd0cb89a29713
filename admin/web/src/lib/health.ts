import { type Integration, MOST_GIVEN_UP } from "@partnerwire/contract";
import { toCount } from "./format.ts";

export type Tone = "success" | "warning" | "error" | "neutral";

/** The state of an integration at a glance. */
export interface Health {
	readonly kind:
		| "healthy"
		| "new"
		| "failing"
		| "refused"
		| "paused"
		| "auto_paused";
	readonly label: string;
	readonly tone: Tone;
	readonly icon: string;
	/** The reason in one sentence, and what to press. */
	readonly sentence: string;
	/** Whether a person has to act. */
	readonly isAlert: boolean;
}

const AUTO_PAUSED: Readonly<Record<string, string>> = {
	gone: "The endpoint said that it is gone for good (410), so Partnerwire paused it. Correct the URL, then resume.",
	failing:
		"It only failed for five days, so Partnerwire paused it. Repair the receiver, send a test, then resume.",
};

/** Whether the receiver refused the token: usually it has another secret than the integration. */
const isRefusal = (error: string | null): boolean =>
	/\b40[13]\b/.test(error ?? "");

type Seen = Pick<Integration, "status" | "pause_reason" | "health">;

/** 7 → "7"; at the limit of the count, "1,000+". */
export const toGivenUpCount = (count: number): string =>
	count < MOST_GIVEN_UP ? toCount(count) : `${toCount(MOST_GIVEN_UP)}+`;

/** A sentence on failed deliveries that are not tried again. Empty if there are none. */
export function toGivenUp(count: number): string {
	if (count === 0) return "";
	if (count === 1)
		return "1 delivery was given up: it is not tried again unless you replay it.";
	return `${toGivenUpCount(count)} deliveries were given up: they are not tried again unless you replay them.`;
}

/** A sentence on what happens next to an active integration's failed deliveries. */
function toProspect({ pending, given_up }: Integration["health"]): string {
	if (pending === 0)
		return toGivenUp(given_up) || "Nothing waits to be tried again.";
	const waiting =
		pending === 1
			? "1 delivery waits: it is tried again by itself."
			: `${toCount(pending)} deliveries wait: they are tried again by themselves.`;
	return `${waiting} ${toGivenUp(given_up)}`.trim();
}

/** The state of an integration, from its counters. */
export function toHealth({ status, pause_reason, health }: Seen): Health {
	const { last_success_at, last_failure_at, last_error, held } = health;
	if (status === "paused") {
		const auto = AUTO_PAUSED[pause_reason ?? ""];
		if (auto !== undefined)
			return {
				kind: "auto_paused",
				label: "Auto-paused",
				tone: "error",
				icon: "i-lucide-octagon-pause",
				sentence: `${auto} ${toGivenUp(health.given_up)}`.trim(),
				isAlert: true,
			};
		const isSaid = pause_reason !== null && pause_reason !== "manual";
		const why = isSaid ? `: ${pause_reason}` : "";
		const then =
			held > 0 ? "What is held goes out in order when you resume." : "";
		return {
			kind: "paused",
			label: "Paused",
			tone: "warning",
			icon: "i-lucide-circle-pause",
			sentence: `Somebody paused it${why}. ${then}`.trim(),
			isAlert: false,
		};
	}
	const isFailing =
		last_failure_at !== null && last_failure_at > (last_success_at ?? "");
	if (isFailing && isRefusal(last_error))
		return {
			kind: "refused",
			label: "Refused",
			tone: "error",
			icon: "i-lucide-shield-x",
			sentence: `The receiver refuses the signature: it verifies with another secret. Compare the secrets, then send a test. ${toProspect(health)}`,
			isAlert: true,
		};
	if (isFailing)
		return {
			kind: "failing",
			label: "Failing",
			tone: "error",
			icon: "i-lucide-circle-alert",
			sentence: `The last attempt failed: ${last_error ?? "for an unknown reason"}. ${toProspect(health)}`,
			isAlert: true,
		};
	if (last_success_at === null)
		return {
			kind: "new",
			label: "Nothing sent yet",
			tone: "neutral",
			icon: "i-lucide-circle-dashed",
			sentence: "Nothing was sent yet. A test webhook shows whether it works.",
			isAlert: false,
		};
	return {
		kind: "healthy",
		label: "Healthy",
		tone: "success",
		icon: "i-lucide-circle-check",
		sentence: "The last delivery was acknowledged.",
		isAlert: false,
	};
}
