/**
 * Every reason for an answer other than 200, with its status and its fixed message (docs/receiver.md#answers).
 * Messages contain nothing of the request, so that they cannot leak a token, a secret or a payload.
 */
export const REASONS = {
	TOKEN_MISSING: [401, "There is no bearer token."],
	AUTHORIZATION_SCHEME: [401, "The Authorization scheme is not Bearer."],
	MULTIPLE_AUTHORIZATION: [401, "There are different Authorization values."],
	TOKEN_TOO_LONG: [401, "The token is longer than 64 KiB."],
	TOKEN_MALFORMED: [401, "The token is malformed."],
	ALG_UNSUPPORTED: [401, "The token's alg is not HS256."],
	CRIT_UNSUPPORTED: [401, "The token has crit."],
	SIGNATURE_INVALID: [401, "The token's signature does not match."],
	CLAIMS_NOT_OBJECT: [401, "The token's payload is not an object."],
	CLAIM_MISSING: [401, "A required claim is missing."],
	CLAIM_INVALID: [401, "A claim has the wrong type."],
	EXP_MISSING: [401, "The token has no exp."],
	EXP_INVALID: [401, "The token's exp is not an integer."],
	EXP_TOO_FAR: [401, "The token's lifetime is too long."],
	TOKEN_EXPIRED: [401, "The token has expired."],
	IAT_MISSING: [401, "The token has no iat."],
	IAT_INVALID: [401, "The token's iat is not an integer."],
	IAT_FUTURE: [401, "The token's iat is in the future."],
	NBF_INVALID: [401, "The token's nbf is not an integer."],
	TOKEN_NOT_YET_VALID: [401, "The token is not valid yet."],
	PAYLOAD_MISMATCH: [401, "The body is not the token's."],
	PAYLOAD_UNBOUND: [401, "Nothing binds the body to the token."],
	BODY_BYTES_LOST: [
		401,
		"A body parser left no bytes to check: mount the receiver before it, or keep the raw body.",
	],
	TOKEN_REUSED: [401, "The token was used with another body."],
	EMPTY_BODY: [400, "The body is empty."],
	BODY_INCOMPLETE: [400, "The body ended early."],
	INVALID_ENCODING: [400, "The body does not match its Content-Encoding."],
	INVALID_UTF8: [400, "The body is not valid UTF-8."],
	INVALID_JSON: [400, "The body is not valid JSON."],
	INVALID_SHAPE: [400, "The body lacks the event's entity or its shape."],
	DUPLICATE_KEY: [400, "The body repeats a member name."],
	TOO_DEEP: [400, "The body is nested too deeply."],
	METHOD_NOT_ALLOWED: [405, "Use POST."],
	BODY_TIMEOUT: [408, "The body did not arrive in time."],
	BODY_TOO_LARGE: [413, "The body is too large."],
	UNSUPPORTED_MEDIA_TYPE: [415, "Send JSON in UTF-8 (application/json)."],
	UNSUPPORTED_ENCODING: [
		415,
		"Use Content-Encoding identity, gzip or deflate.",
	],
	BODY_ALREADY_READ: [
		500,
		"The body was read before the receiver: mount it before any body parser, or keep the raw body.",
	],
	HANDLER_FAILED: [500, "The handler failed."],
	SECRET_LOOKUP_FAILED: [500, "The secret could not be looked up."],
	INTERNAL_ERROR: [500, "The receiver failed."],
	DEADLINE: [503, "The handler is not done yet."],
	IN_PROGRESS: [503, "Another copy is not done yet."],
	STORE_UNAVAILABLE: [503, "The store cannot be reached."],
} as const satisfies Record<string, readonly [status: number, message: string]>;

/** Why a request was not acknowledged. */
export type Reason = keyof typeof REASONS;

/** The HTTP status that a reason is answered with. */
export function statusOf(reason: Reason): number {
	return REASONS[reason][0];
}
