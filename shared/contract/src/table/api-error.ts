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

/** The most members that an error names. It says how many more there are (docs/decisions.md#details-of-a-400). */
const MOST_DETAILS = 100;

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
			options.details?.slice(0, MOST_DETAILS) ??
			(code === "validation_error" ? [] : undefined);
		this.retryAfterS = options.retryAfterS;
	}

	toBody(): ErrorBody {
		const { code, message, details } = this;
		return {
			error: { code, message, ...(details && { details: [...details] }) },
		};
	}
}

/** The message of a 400 that names members. */
export function tellMembers(
	members: readonly { field: string; message: string }[],
): string {
	const told = members
		.slice(0, MOST_DETAILS)
		.map(({ field, message }) => `${field}: ${message}`);
	const more = members.length - told.length;
	if (more > 0) told.push(`and ${more} more`);
	return told.join("; ");
}

/** A 400 for members that the schema cannot judge, such as a reference to a record that does not exist. */
export function invalidMembers(
	members: readonly { field: string; message: string }[],
): ApiError {
	return new ApiError("validation_error", tellMembers(members), {
		details: members.map((member) => ({
			...member,
			reason: "invalid_value",
		})),
	});
}

/** A 404 for a record. The text does not tell an unknown record from another company's. */
export function notFound(noun: string): ApiError {
	return new ApiError("not_found", `${noun} not found`);
}
