import { ApiError } from "@partnerwire/contract";
import { StorageError } from "@partnerwire/core";
import { HTTPError } from "h3";
import { OversizedBodyError } from "./read-input.ts";

/** The API's answer to an error: always the contract's envelope, never a stack or a database's message. */
export function toErrorResponse(
	error: unknown,
	onFault: (error: unknown) => void,
): Response {
	const known = toApiError(error);
	if (known.status >= 500) onFault(error);
	return Response.json(known.toBody(), {
		status: known.status,
		headers: {
			...(known.retryAfterS !== undefined && {
				"retry-after": String(known.retryAfterS),
			}),
			...([known, known.cause].some(
				(one) => one instanceof OversizedBodyError,
			) && { connection: "close" }),
			...(known.code === "unauthorized" && { "www-authenticate": "Bearer" }),
		},
	});
}

/** The error as callers see it. An unknown error becomes `internal_error`, without its message. */
export function toApiError(error: unknown): ApiError {
	if (error instanceof ApiError) return error;
	if (error instanceof HTTPError && error.cause instanceof ApiError)
		return error.cause;
	// h3 refuses requests that it cannot route, such as a path with broken percent-encoding.
	if (error instanceof HTTPError && error.status < 500)
		return new ApiError("validation_error", "path: is not valid");
	if (error instanceof StorageError)
		return new ApiError("internal_error", error.message, { cause: error });
	return new ApiError("internal_error", "an unexpected error occurred", {
		cause: error,
	});
}
