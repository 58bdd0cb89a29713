import { invalidMembers } from "@partnerwire/contract";
import { type H3Config, type H3Event, HTTPError } from "h3";

const AUTHORITY = /^https?:\/\/[\w.:[\]-]+/i;

/**
 * What no proxy and no URL parser reads as another path: no path of this service needs more. Dot segments, empty ones, backslashes,
 * `;`, `#` and percent-encoded ASCII are something else.
 */
const PLAIN =
	/^(?:\/(?!\.{1,2}(?:[/?]|$))(?:[\w.~-]|%[89a-f][\da-f])+)*\/?(?:\?[^#]*)?$/i;

/** The target of a request as it was sent: before any parser resolved it, and without scheme and host where it has them (RFC 9112 §3.2.2). */
export const targetOf = ({ req }: H3Event): string =>
	(req.runtime?.node?.req.url ?? req.url).replace(AUTHORITY, "");

export const hasPlainPath = (event: H3Event): boolean =>
	PLAIN.test(targetOf(event));

/** Refuses a path that could be read as another one (decisions §1: paths). */
function refuseOddPath(event: H3Event): void {
	if (hasPlainPath(event)) return;
	const cause = invalidMembers([
		{
			field: "path",
			message:
				"must be segments of letters, digits, -, _, . and ~ between single slashes: dot segments, empty segments and percent-encoded ASCII are refused",
		},
	]);
	// As an error of h3's own: it would log another one as a fault.
	throw new HTTPError({ status: cause.status, cause });
}

/** Refuses a slash at the end, which an empty id leaves too, where that would mean everything (decisions §1: exact operations). */
export function requireExactPath({ url }: H3Event): void {
	if (url.pathname.endsWith("/"))
		throw invalidMembers([
			{
				field: "path",
				message:
					"must not end in a slash here: an empty id would mean all of them",
			},
		]);
}

/** What every app of the service is made with; its `onError` answers the refusal. */
export const plainPaths = {
	onRequest: refuseOddPath,
} as const satisfies H3Config;
