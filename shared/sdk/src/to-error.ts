import type { ErrorBody } from "@partnerwire/contract";
import { ApiError, ERROR_STATUS } from "@partnerwire/contract/api-error";

/** Reads the error of a response. A body that is not the API's becomes an `internal_error` that names the status. */
export async function toError(response: Response): Promise<ApiError> {
	const body: unknown = await response.json().catch(() => undefined);
	if (!isErrorBody(body)) {
		return new ApiError(
			"internal_error",
			`the server answered ${response.status} without an error body`,
		);
	}
	const { code, message, details } = body.error;
	const retryAfter = response.headers.get("retry-after");
	return new ApiError(code, message, {
		...(Array.isArray(details) && { details }),
		...(retryAfter && { retryAfterS: Number(retryAfter) }),
	});
}

function isErrorBody(body: unknown): body is ErrorBody {
	const error = (body as Partial<ErrorBody> | null | undefined)?.error;
	return (
		typeof error?.message === "string" &&
		Object.hasOwn(ERROR_STATUS, error.code)
	);
}
