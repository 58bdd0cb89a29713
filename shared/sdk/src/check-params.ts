import type { OperationId } from "@partnerwire/contract";
import { ApiError } from "@partnerwire/contract/api-error";
import { isUuid } from "@partnerwire/contract/is-uuid";

/** All path parameters are uuids, but for these. */
const NO_UUID: Readonly<Record<string, RegExp>> = { module: /^\w+$/ };

/**
 * Throws an `ApiError` (`validation_error`, as the service would answer) unless each path parameter fits its place. An
 * empty one, a dot segment or the name of another route would make the URL of another operation, which may delete more
 * (docs/decisions.md#ids-of-records). The message does not repeat the value: it may be a secret in the wrong place.
 */
export function checkParams(
	id: OperationId,
	path: string,
	params: Readonly<Record<string, unknown>> = {},
): void {
	for (const [, name = ""] of path.matchAll(/\{(\w+)\}/g)) {
		const value = params[name];
		const word = NO_UUID[name];
		const isRight =
			typeof value === "string" && (word ? word.test(value) : isUuid(value));
		if (isRight) continue;
		const isMissing = value === undefined;
		const field = `path/${name}`;
		const wanted = `must be ${word ? `the id of a ${name}` : "a UUID"}`;
		const message = isMissing ? "is required" : wanted;
		const reason = isMissing ? "missing_required" : "invalid_value";
		throw new ApiError("validation_error", `${id}: ${field}: ${message}`, {
			details: [{ field, reason, message }],
		});
	}
}
