import { type EventId, isEventId, payloadKeyOf } from "@partnerwire/wire";
import type { Bytes } from "../common/incoming.ts";
import { toBase64url } from "../verify/base64url.ts";

/** The secret of the test helpers. It signs nothing real. */
export const TEST_SECRET = "6f1c2b9e-6a51-4d0b-9a53-7f0d5a0c1e11";

const LIFETIME_S = 60;
const encoder = new TextEncoder();

/** base64url of a text's UTF-8, or of bytes. */
export function encodeSegment(data: string | Bytes): string {
	return toBase64url(typeof data === "string" ? encoder.encode(data) : data);
}

/** HMAC-SHA256 over the first two segments, as the third. */
export async function signSegments(
	input: string,
	secret: string | Bytes,
): Promise<string> {
	const key = await crypto.subtle.importKey(
		"raw",
		typeof secret === "string" ? encoder.encode(secret) : secret,
		{ name: "HMAC", hash: "SHA-256" },
		false,
		["sign"],
	);
	const signature = await crypto.subtle.sign(
		"HMAC",
		key,
		encoder.encode(input),
	);
	return toBase64url(new Uint8Array(signature));
}

/**
 * Signs any claims with any header, also wrong ones. A string becomes the payload's text as it is.
 */
export async function signTestToken(
	claims: Record<string, unknown> | string,
	secret: string | Bytes = TEST_SECRET,
	header: Record<string, unknown> = { alg: "HS256", typ: "JWT" },
): Promise<string> {
	const payload = typeof claims === "string" ? claims : JSON.stringify(claims);
	const input = `${encodeSegment(JSON.stringify(header))}.${encodeSegment(payload)}`;
	return `${input}.${await signSegments(input, secret)}`;
}

/** The parts of a signed request. All have defaults. */
export interface SignedRequestOptions {
	eventId?: EventId | (string & {});
	/** The JSON body: an object, or the exact text or bytes. By default the smallest body of the event. */
	body?: object | string | Bytes;
	/** Claims to add or replace. A member that is undefined is left out. */
	claims?: Record<string, unknown>;
	header?: Record<string, unknown>;
	secret?: string;
	url?: string;
	headers?: Record<string, string>;
	/** Milliseconds since the epoch, for `iat` and `exp`. */
	clock?: () => number;
}

/** The smallest body of an event that a receiver accepts. */
export function createTestBody(eventId: string): Record<string, unknown> {
	const key = isEventId(eventId) ? payloadKeyOf(eventId) : "record";
	const record = {
		uuid: "0197a4a0-0000-7000-8000-000000000001",
		label: "Example",
		company_name: "Example Ltd",
		email: "someone@example.com",
	};
	return { [key]: record, configuration: [] };
}

/**
 * A request as the dispatcher sends it: signed, with `jti` and `payload_sha256`.
 *
 * @example
 * const response = await receiver.fetch(await signedRequest({ secret, eventId: "lead_created", body }));
 */
export async function signedRequest(
	options: SignedRequestOptions = {},
): Promise<Request> {
	const eventId = options.eventId ?? "lead_created";
	const content = options.body ?? createTestBody(eventId);
	const bytes =
		content instanceof Uint8Array
			? (content as Bytes)
			: encoder.encode(
					typeof content === "string" ? content : JSON.stringify(content),
				);
	const iat = Math.floor((options.clock?.() ?? Date.now()) / 1000);
	const digest = await crypto.subtle.digest("SHA-256", bytes);
	const claims = {
		company_uuid: "0197a4a0-0000-7000-8000-0000000000c1",
		user_uuid: "0197a4a0-0000-7000-8000-0000000000a1",
		event_id: eventId,
		iat,
		exp: iat + LIFETIME_S,
		jti: crypto.randomUUID(),
		payload_sha256: toBase64url(new Uint8Array(digest)),
		...options.claims,
	};
	const token = await signTestToken(claims, options.secret, options.header);
	return new Request(options.url ?? "https://receiver.example/hook", {
		method: "POST",
		headers: {
			authorization: `Bearer ${token}`,
			"content-type": "application/json",
			...options.headers,
		},
		body: bytes,
	});
}
