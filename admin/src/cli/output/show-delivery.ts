import type { WebhookAttempt, WebhookEventDetail } from "@partnerwire/contract";

import { printable } from "./output.ts";

/** Formats a delivery for people: its state, the reason, and each attempt. */
export function showDelivery(found: WebhookEventDetail): string {
	return [
		`${found.event_id} #${found.sequence} of record ${found.record_uuid}`,
		`${found.status}${found.out_of_order ? ", out of order" : ""}`,
		printable(found.explanation),
		...found.attempts.flatMap(showAttempt),
	].join("\n");
}

function showAttempt(attempt: WebhookAttempt): string[] {
	const { failure, timings, status } = attempt;
	const outcome = failure
		? `${failure.class} (${failure.stage}${failure.code ? `, ${failure.code}` : ""}): ${printable(failure.message)}`
		: `answered ${status}`;
	const phases = Object.entries(timings)
		.filter(([, ms]) => ms !== null)
		.map(([phase, ms]) => `${phase.replace("_ms", "")} ${ms} ms`);
	return [
		"",
		`Attempt ${attempt.number} at ${attempt.started_at}, ${attempt.duration_ms} ms, ${attempt.address ?? "no address"}`,
		`  ${outcome}`,
		...(phases.length > 0 ? [`  ${phases.join(", ")}`] : []),
		...(failure ? [`  ${attempt.advice}`] : []),
		...(failure && attempt.response.body !== ""
			? [`  ${printable(attempt.response.body.slice(0, 200))}`]
			: []),
	];
}
