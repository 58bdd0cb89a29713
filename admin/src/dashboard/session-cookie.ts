import { createHmac } from "node:crypto";
import { deleteCookie, type H3Event, setCookie } from "h3";

const VALUE = /^pws_[\w-]{43}$/;

/**
 * With TLS the cookie has the prefix `__Host-`, so that no other host can set it, not even one of the same domain. It must
 * then be for every path (RFC 6265bis §4.1.3.2).
 */
const toCookie = (secure: boolean) =>
	secure
		? { name: "__Host-partnerwire_session", path: "/" }
		: { name: "partnerwire_session", path: "/_admin" };

function toAttributes(secure: boolean) {
	const { path } = toCookie(secure);
	return { path, httpOnly: true, sameSite: "strict", secure } as const;
}

/**
 * The value of the session cookie, or null without one. Several cookies of the name count as none: somebody else set one of
 * them, such as another host of the same domain.
 */
export function readSessionCookie(
	{ req }: H3Event,
	secure: boolean,
): string | null {
	const wanted = toCookie(secure).name;
	const values = (req.headers.get("cookie") ?? "")
		.split(";")
		.flatMap((pair) => {
			const [name, ...value] = pair.split("=");
			return name?.trim() === wanted ? [value.join("=").trim()] : [];
		});
	const [value] = values;
	return values.length === 1 && value && VALUE.test(value) ? value : null;
}

/** Sets the session cookie. Scripts cannot read it, and requests from other sites do not send it. */
export function giveSessionCookie(
	event: H3Event,
	value: string,
	{ secure, seconds }: { secure: boolean; seconds: number },
): void {
	const attributes = { ...toAttributes(secure), maxAge: seconds };
	setCookie(event, toCookie(secure).name, value, attributes);
}

export function takeSessionCookie(event: H3Event, secure: boolean): void {
	deleteCookie(event, toCookie(secure).name, toAttributes(secure));
}

/** The token that a page must send with each change. It is derived from the cookie, which no page can read. */
export const csrfTokenOf = (cookieValue: string): string =>
	createHmac("sha256", cookieValue)
		.update("partnerwire csrf token")
		.digest("base64url");
