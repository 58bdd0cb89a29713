import { createHash, createHmac, type KeyObject } from "node:crypto";

/** The secret of the cases. */
export const SECRET = "6f1c2b9e-6a51-4d0b-9a53-7f0d5a0c1e11";
export const OTHER_SECRET = "0b7a7c52-31a4-4f6d-8a11-5c1f3d2e4b60";

/** The tests' time: 2026-01-01T12:00:00Z. */
export const NOW_MS = Date.UTC(2026, 0, 1, 12);
export const NOW_S = NOW_MS / 1000;

export const BODY =
	'{"deal":{"uuid":"0197a4a0-0000-7000-8000-00000000d001","label":"d1"},"configuration":[]}';

/** base64url of text or bytes. */
export const segment = (data: string | Uint8Array): string =>
	Buffer.from(data as string).toString("base64url");

/** base64url SHA-256, as in `payload_sha256`. */
export const sha256 = (data: string | Uint8Array): string =>
	createHash("sha256").update(data).digest("base64url");

type Secret = string | Uint8Array | KeyObject;

/** Signs two segments by hand. */
export function sign(input: string, secret: Secret = SECRET): string {
	return createHmac("sha256", secret).update(input).digest("base64url");
}

/** The default claims of the cases, with changes. A member that is undefined is left out. */
export function claims(more: object = {}): object {
	return {
		company_uuid: "0197a4a0-0000-7000-8000-0000000000c1",
		user_uuid: "0197a4a0-0000-7000-8000-0000000000a1",
		event_id: "deal_updated",
		iat: NOW_S,
		exp: NOW_S + 60,
		...more,
	};
}

/** Makes a compact HS256 token by hand. A payload or header that is a string is used as it is. */
export function tok(
	more: object | string = {},
	header: object | string = { alg: "HS256", typ: "JWT" },
	secret: Secret = SECRET,
): string {
	const text = (part: object | string) =>
		typeof part === "string" ? part : JSON.stringify(part);
	const payload = typeof more === "string" ? more : claims(more);
	const input = `${segment(text(header))}.${segment(text(payload))}`;
	return `${input}.${sign(input, secret)}`;
}

export const GOOD = tok();
/** Signed with another secret. */
export const BAD = tok({}, undefined, OTHER_SECRET);
