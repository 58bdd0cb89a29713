import { createHmac } from "node:crypto";
import { deleteCookie, type H3Event, setCookie } from "h3";

const VALUE = /^pws_[\w-]{43}$/;

/**
 * With TLS browsers keep a `__Host-` cookie from everybody else, neighbours under the same domain included; it has to be for
 * every path (RFC 6265bis §4.1.3.2).
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
 * The value of the session's cookie, or null without one. Several cookies of the name are as good as none: one of them was set
 * by somebody else, such as a neighbour under the same domain.
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

/** Gives the browser the session: out of the page's reach, and sent by no other site. */
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

/** What the page must show with each change: no other page can know it, because it is made from the cookie that none can read. */
export const csrfTokenOf = (cookieValue: string): string =>
	createHmac("sha256", cookieValue)
		.update("partnerwire csrf token")
		.digest("base64url");
