import type { ErrorBody, ErrorDetail } from "./errors.ts";

/** Every error code of the API and its HTTP status (docs/contract.md#errors). */
export const ERROR_STATUS = {
	validation_error: 400,
	unauthorized: 401,
	forbidden: 403,
	module_disabled: 403,
	not_found: 404,
	conflict: 409,
	rate_limit_exceeded: 429,
	internal_error: 500,
} as const;
export type ErrorCode = keyof typeof ERROR_STATUS;

/** The error that every operation throws. Callers switch on `code`. The message is for people and holds no secret. */
export class ApiError extends Error {
	override readonly name = "ApiError";
	readonly code: ErrorCode;
	readonly details: readonly ErrorDetail[] | undefined;
	/** That of the answer. By default the code's own: a proxy's 502 is an `internal_error` too. */
	readonly status: number;
	/** Of a 429 or 503: whole seconds after which a retry makes sense. */
	readonly retryAfterS: number | undefined;

	constructor(
		code: ErrorCode,
		message: string,
		options: {
			details?: readonly ErrorDetail[];
			status?: number;
			retryAfterS?: number | undefined;
			cause?: unknown;
		} = {},
	) {
		super(message, { cause: options.cause });
		this.code = code;
		this.status = options.status ?? ERROR_STATUS[code];
		this.details =
			options.details ?? (code === "validation_error" ? [] : undefined);
		this.retryAfterS = options.retryAfterS;
	}

	toBody(): ErrorBody {
		const { code, message, details } = this;
		return {
			error: { code, message, ...(details && { details: [...details] }) },
		};
	}
}

/** A 400 for members that the schema cannot judge, such as a reference to a record that does not exist. */
export function invalidMembers(
	members: readonly { field: string; message: string }[],
): ApiError {
	return new ApiError(
		"validation_error",
		members.map(({ field, message }) => `${field}: ${message}`).join("; "),
		{
			details: members.map((member) => ({
				...member,
				reason: "invalid_value",
			})),
		},
	);
}

/** A 404 for a record. The text does not tell an unknown record from another company's. */
export function notFound(noun: string): ApiError {
	return new ApiError("not_found", `${noun} not found`);
}
