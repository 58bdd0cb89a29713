/* Reads the answers of the service, and tells them from those of something else, such as a proxy before it. */
import type { ErrorBody } from "@partnerwire/contract";
import {
	ApiError,
	ERROR_STATUS,
	type ErrorCode,
} from "@partnerwire/contract/api-error";

/**
 * Reads an answer's JSON. Throws an `ApiError` for an error, and for an answer that is not the API's: its `status` is then
 * the answer's, and its code `internal_error`, or `rate_limit_exceeded` for a 429.
 */
export async function readAnswer(response: Response): Promise<unknown> {
	const json = parseJson(await response.text());
	if (response.ok && typeof json === "object") return json;
	const { status, headers } = response;
	const known = isErrorBody(json) ? json.error : undefined;
	const error = new ApiError(
		known?.code ?? toCode(status),
		known?.message ?? describe(response),
		{
			status,
			retryAfterS: toSeconds(headers.get("retry-after")),
			...(Array.isArray(known?.details) && { details: known.details }),
		},
	);
	if (!known) foreign.add(error);
	throw error;
}

/** Errors of answers that are not the API's. */
const foreign = new WeakSet<ApiError>();

/** Whether something else answered, such as a proxy: whether the service ran the request is then not known. */
export const isForeign = (error: ApiError): boolean => foreign.has(error);

/** No JSON text is undefined. */
function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function isErrorBody(body: unknown): body is ErrorBody {
	const error = (body as Partial<ErrorBody> | null | undefined)?.error;
	return (
		typeof error?.message === "string" &&
		Object.hasOwn(ERROR_STATUS, error.code)
	);
}

/** A 429 says the same whoever answers it. Of all others only the status is known. */
const toCode = (status: number): ErrorCode =>
	status === ERROR_STATUS.rate_limit_exceeded
		? "rate_limit_exceeded"
		: "internal_error";

function describe({ ok, status, type }: Response): string {
	// Browsers hide the status of a redirect.
	if (type === "opaqueredirect" || (status >= 300 && status < 400))
		return "the server answered with a redirect, which is not followed: give the address that it leads to, such as one with https:";
	return ok
		? `the server answered ${status} without JSON: is the address that of a Partnerwire service?`
		: `the server answered ${status} without an error body`;
}

/** `Retry-After` is whole seconds or a date (RFC 9110 §10.2.3). Anything else is undefined. */
function toSeconds(retryAfter: string | null): number | undefined {
	if (retryAfter === null) return undefined;
	if (/^\d+$/.test(retryAfter)) return Number(retryAfter);
	const ms = Date.parse(retryAfter) - Date.now();
	return Number.isNaN(ms) ? undefined : Math.max(0, Math.ceil(ms / 1000));
}
