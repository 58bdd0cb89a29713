/* Refuses requests that a proxy in front could read as another one: by their path, or by a second host. */
import { invalidMembers } from "@partnerwire/contract";
import { type H3Config, type H3Event, HTTPError } from "h3";

const AUTHORITY = /^https?:\/\/[\w.:[\]-]+/i;

/**
 * Paths that every proxy and every URL parser reads alike (docs/decisions.md#paths). Dot segments, empty segments,
 * backslashes, `;`, `#` and percent-encoded ASCII do not match. No path of this service needs them.
 */
const PLAIN =
	/^(?:\/(?!\.{1,2}(?:[/?]|$))(?:[\w.~-]|%[89a-f][\da-f])+)*\/?(?:\?[^#]*)?$/i;

/** The target of a request as it was sent, before any parser resolved it; without scheme and host (RFC 9112 §3.2.2). */
export const targetOf = ({ req }: H3Event): string =>
	(req.runtime?.node?.req.url ?? req.url).replace(AUTHORITY, "");

export const hasPlainPath = (event: H3Event): boolean =>
	PLAIN.test(targetOf(event));

/** Whether one `Host` at most came with the request. Node keeps the first and drops the others. */
export function hasOneHost({ req }: H3Event): boolean {
	const names = req.runtime?.node?.req.rawHeaders ?? [];
	let hosts = 0;
	for (let at = 0; at < names.length; at += 2)
		if (names[at]?.length === 4 && names[at]?.toLowerCase() === "host") hosts++;
	return hosts < 2;
}

function refuseOdd(event: H3Event): void {
	if (!hasOneHost(event)) throw refusal("header/host", "must be given once");
	if (!hasPlainPath(event))
		throw refusal(
			"path",
			"must be segments of letters, digits, -, _, . and ~ between single slashes: dot segments, empty segments and percent-encoded ASCII are refused",
		);
}

function refusal(field: string, message: string): HTTPError {
	const cause = invalidMembers([{ field, message }]);
	// h3 would log any other error as a fault. Its second argument becomes the cause.
	return new HTTPError(message, cause);
}

/** Refuses a trailing slash, which an empty id leaves and would mean all records (docs/decisions.md#exact-operations). */
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

/** The h3 configuration of every app of the service. The app's `onError` answers the refusal. */
export const plainPaths = {
	onRequest: refuseOdd,
} as const satisfies H3Config;
