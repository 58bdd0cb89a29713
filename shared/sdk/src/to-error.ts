import { ApiError, ErrorBody } from "@partnerwire/contract";

/** The error that a response stands for; one that is not the API's own is an `internal_error` that names the status. */
export async function toError(response: Response): Promise<ApiError> {
	const parsed = ErrorBody.safeParse(
		await response.json().catch(() => undefined),
	);
	if (!parsed.success) {
		return new ApiError(
			"internal_error",
			`the server answered ${response.status} without an error body`,
		);
	}
	const { code, message, details } = parsed.data.error;
	const retryAfter = response.headers.get("retry-after");
	return new ApiError(code, message, {
		...(details && { details }),
		...(retryAfter && { retryAfterS: Number(retryAfter) }),
	});
}
