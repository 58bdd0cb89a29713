import type { ErrorCode, ErrorDetail } from "@partnerwire/contract";
import { ApiError } from "@partnerwire/sdk";

/** The error of a call, in words for people. `unreachable` means that no answer came. */
export class Fault extends Error {
	override readonly name = "Fault";
	readonly code: ErrorCode | "unreachable";
	readonly details: readonly ErrorDetail[];
	/** Of a 429 or 503: whole seconds after which a retry makes sense. */
	readonly retryAfterS: number | undefined;

	constructor(
		code: Fault["code"],
		message: string,
		options: {
			details?: readonly ErrorDetail[] | undefined;
			retryAfterS?: number | undefined;
		} = {},
	) {
		super(message);
		this.code = code;
		this.details = options.details ?? [];
		this.retryAfterS = options.retryAfterS;
	}
}

/** Turns anything that was thrown into a fault. The SDK itself throws for an invalid id in the address. */
export function asFault(thrown: unknown): Fault {
	if (thrown instanceof Fault) return thrown;
	if (thrown instanceof ApiError)
		return new Fault(thrown.code, thrown.message, thrown);
	return new Fault("internal_error", `The page failed: ${String(thrown)}`);
}

/** One sentence for people, and what to do. */
export function toSentence({ code, message, retryAfterS }: Fault): string {
	switch (code) {
		case "unreachable":
			return "The service does not answer. Check that it runs and that you are online, then try again.";
		case "unauthorized":
			return "Your session has ended. Sign in again.";
		case "forbidden":
			return "Your key may read but not change anything. Sign in with a key that has the write permission.";
		case "rate_limit_exceeded":
			return `Too many requests. Try again in ${retryAfterS ?? 60} seconds.`;
		case "internal_error":
			return "The service failed. The reason is in its log; try again in a moment.";
		default:
			return message;
	}
}

/** The messages of a refused body, by member, such as `webhook_url` or `configuration/0/id`. `""` holds the rest. */
export function toFieldErrors({
	details,
	message,
	code,
}: Fault): Record<string, string> {
	if (code !== "validation_error") return {};
	if (details.length === 0) return { "": message };
	return Object.fromEntries(
		details.map(({ field, message: why }) => [
			field.replace(/^(body|query|params)\//, ""),
			why,
		]),
	);
}
