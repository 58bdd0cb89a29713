import type { Observation } from "@partnerwire/receiver";
import { paint, printable } from "./output.ts";

/** Formats a verified or refused webhook as one line for people. */
export function showObservation(seen: Observation): string {
	const { eventId, entity, claims, outcome, reason, explanation, status } =
		seen;
	const subject = [
		printable(eventId ?? "request"),
		entity?.uuid && printable(`${entity.key} ${entity.uuid}`),
	]
		.filter(Boolean)
		.join("  ");
	const verdict =
		status === 200
			? paint.green(`${status} ${outcome}`)
			: paint.red(`${status} ${reason ?? outcome}`);
	const proof =
		claims &&
		paint.dim(
			printable(
				`by user ${claims.user_uuid}${claims.sequence ? ` · sequence ${claims.sequence}` : ""}`,
			),
		);
	return [
		verdict,
		subject,
		proof,
		explanation && paint.yellow(printable(explanation)),
	]
		.filter(Boolean)
		.join("  ");
}
