import { createHmac } from "node:crypto";
import { deleteCookie, type H3Event, setCookie } from "h3";

const NAME = "partnerwire_session";
const VALUE = /^pws_[\w-]{43}$/;

const attributes = (secure: boolean) =>
	({ path: "/_admin", httpOnly: true, sameSite: "strict", secure }) as const;

/**
 * The value of the session's cookie, or null without one. Several cookies of the name are as good as none: one of them was set
 * by somebody else, such as a neighbour under the same domain.
 */
export function readSessionCookie({ req }: H3Event): string | null {
	const values = (req.headers.get("cookie") ?? "")
		.split(";")
		.flatMap((pair) => {
			const [name, ...value] = pair.split("=");
			return name?.trim() === NAME ? [value.join("=").trim()] : [];
		});
	const [value] = values;
	return values.length === 1 && value && VALUE.test(value) ? value : null;
}

/** Gives the browser the session: for `/_admin` alone, out of the page's reach, and sent by no other site. */
export function giveSessionCookie(
	event: H3Event,
	value: string,
	{ secure, seconds }: { secure: boolean; seconds: number },
): void {
	setCookie(event, NAME, value, { ...attributes(secure), maxAge: seconds });
}

export function takeSessionCookie(event: H3Event, secure: boolean): void {
	deleteCookie(event, NAME, attributes(secure));
}

/** What the page must show with each change: no other page can know it, because it is made from the cookie that none can read. */
export const csrfTokenOf = (cookieValue: string): string =>
	createHmac("sha256", cookieValue)
		.update("partnerwire csrf token")
		.digest("base64url");
