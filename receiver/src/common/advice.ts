import type { Reason } from "./reasons.ts";

/** Says what to do about each refusal, as docs/troubleshooting.md does. A 500 or 503 has no advice: its error is reported. */
export const ADVICE: Partial<Record<Reason, string>> = {
	TOKEN_MISSING:
		"Something in front of the receiver drops `Authorization` (a proxy, a gateway, a redirect), or a person asked without a token. With `standard` the receiver takes Standard Webhooks headers instead.",
	AUTHORIZATION_SCHEME:
		"Send `Authorization: Bearer TOKEN`; a proxy put its own credentials there.",
	MULTIPLE_AUTHORIZATION:
		"A proxy adds a second `Authorization`: let one through.",
	TOKEN_TOO_LONG:
		"The sender is not Partnerwire, or an attack; or the integration's external settings are huge.",
	TOKEN_MALFORMED:
		"The token, or a Standard Webhooks header, was cut or re-encoded on its way, often by a limit on header size; `npx partnerwire token inspect TOKEN` shows what is left.",
	ALG_UNSUPPORTED:
		"The sender is not Partnerwire, or an attack: only HS256 is taken.",
	CRIT_UNSUPPORTED: "The sender is not Partnerwire: its tokens have no `crit`.",
	SIGNATURE_INVALID:
		"The secret is not this integration's: give its signing secret (`integration_uuid`) exactly as it was shown, not its id; after a rotation give both secrets.",
	CLAIMS_NOT_OBJECT: "The sender is not Partnerwire.",
	CLAIM_MISSING:
		"The sender is not Partnerwire, or an old one: `company_uuid`, `user_uuid` and `event_id` are required.",
	CLAIM_INVALID:
		"The sender is not Partnerwire: a claim has another type than the specification's.",
	EXP_MISSING: "The sender is not Partnerwire: its tokens end.",
	EXP_INVALID:
		"The sender is not Partnerwire: `exp` is Unix seconds, an integer.",
	EXP_TOO_FAR:
		"Lower `--token-lifetime`, or raise the receiver's `maxLifetimeS`.",
	TOKEN_EXPIRED:
		"A clock is wrong on one side (synchronise it), or the request waited in a queue in front of the receiver longer than the token lives.",
	IAT_MISSING: "The sender is not Partnerwire.",
	IAT_INVALID:
		"The sender is not Partnerwire: `iat` is Unix seconds, an integer.",
	IAT_FUTURE:
		"The receiver's clock is behind, or the sender's ahead: synchronise them.",
	NBF_INVALID: "The sender is not Partnerwire: it sends no `nbf`.",
	TOKEN_NOT_YET_VALID: "The receiver's clock is behind: synchronise it.",
	PAYLOAD_MISMATCH:
		"The body was changed on its way: a proxy or a body parser re-wrote it. Give the receiver the raw bytes.",
	PAYLOAD_UNBOUND:
		"The receiver demands `payload_sha256`, and the service leaves it out: see `--omit-claims`.",
	BODY_BYTES_LOST:
		"Mount the receiver before `express.json()` and the like, or keep the raw body. `allowParsedBody` takes the parser's object unchecked.",
	TOKEN_REUSED:
		"A token came with another body: an attack, or a test that pairs an old token with a new body.",
	EMPTY_BODY:
		"A body parser or a redirect took the body: mount the receiver before any parser.",
	BODY_INCOMPLETE: "The connection ended early; the sender tries again.",
	INVALID_ENCODING:
		"A proxy says that it compressed the body and did not, or the other way round.",
	INVALID_UTF8: "The body was re-encoded on its way: hand it on as bytes.",
	INVALID_JSON:
		"The body was changed on its way, or the sender is not Partnerwire.",
	INVALID_SHAPE:
		"The body is not that of the token's event: compare it with the event's fixture.",
	DUPLICATE_KEY:
		"The sender is not Partnerwire: its bodies name each member once.",
	TOO_DEEP: "The sender is not Partnerwire, or an attack.",
	METHOD_NOT_ALLOWED:
		"Webhooks are POST; a browser or a health check asked (`probe: true` answers those with 204). A redirect turns POST into GET: register the final URL.",
	BODY_TIMEOUT:
		"The body came too slowly: look at the network and at proxies that buffer.",
	BODY_TOO_LARGE:
		"Raise the receiver's `maxBodyBytes`; Partnerwire's payloads have at most 256 KiB.",
	UNSUPPORTED_MEDIA_TYPE:
		"A proxy changed `Content-Type`; it is `application/json`.",
	UNSUPPORTED_ENCODING:
		"A proxy compressed the body in another way than gzip or deflate.",
};
