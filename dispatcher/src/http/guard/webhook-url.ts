import { isIP } from "node:net";
import { parseUrl } from "@partnerwire/wire";
import {
	type AddressCheck,
	createAddressCheck,
	type NetworkPolicy,
} from "./network-policy.ts";

/** Why a webhook URL is refused: because of its form or its host. */
export interface UrlProblem {
	readonly kind: "url" | "address";
	readonly message: string;
}

/** Characters that some URL parsers drop, and others read as a slash. */
const AMBIGUOUS = /[\s\\\p{Cc}]/u;
/** The scheme with both slashes, and the part before the path: user, host and port. */
const AUTHORITY = /^[a-z]+:\/\/([^/?#]+)/i;
const LOCAL_NAME = /(^|\.)(localhost|local|internal)$/;

/** The host of a URL as a name or a bare IP address: no brackets, no trailing dot. */
export function hostOf(url: URL): string {
	return url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

function findHostProblem(
	url: URL,
	policy: NetworkPolicy,
	checkAddress: AddressCheck,
): UrlProblem | null {
	const host = hostOf(url);
	if (isIP(host) !== 0) {
		const reason = checkAddress(host);
		if (!reason) return null;
		return { kind: "address", message: `must not lead to ${reason}` };
	}
	// With allowed networks, a local name may resolve into one of them. Its addresses are checked when connecting.
	const mayBeLocal = policy.allowPrivate || policy.allowedNetworks.length > 0;
	if (!LOCAL_NAME.test(host) || mayBeLocal) return null;
	return { kind: "address", message: "must not have a local host name" };
}

/** Finds why a webhook URL is refused. The caller compiles the policy's address check once. */
export function findUrlProblem(
	text: string,
	policy: NetworkPolicy,
	checkAddress: AddressCheck,
): UrlProblem | null {
	const problem = (message: string): UrlProblem => ({ kind: "url", message });
	if (AMBIGUOUS.test(text))
		return problem(
			"must not contain white space, control characters or backslashes",
		);
	const url = parseUrl(text);
	if (url === null) return problem("must be an absolute URL");
	const isHttp = url.protocol === "http:";
	if (url.protocol !== "https:" && !(isHttp && policy.allowHttp))
		return problem(
			policy.allowHttp
				? "must be an https or http URL"
				: "must be an https URL",
		);
	const authority = AUTHORITY.exec(text)?.[1];
	if (!authority) return problem("must be an absolute URL");
	if (authority.includes("@"))
		return problem("must not hold a user name or password");
	if (text.includes("#")) return problem("must not have a fragment");
	if (url.port === "0") return problem("must not have port 0");
	if (hostOf(url).split(".").includes(""))
		return problem("must not have an empty label in its host name");
	return findHostProblem(url, policy, checkAddress);
}

/**
 * Says in one sentence why a webhook URL is refused, or null if it is fine (docs/decisions.md#urls): https only, no credentials, no
 * fragment, no private or reserved host.
 *
 * @example
 * checkWebhookUrl("https://10.0.0.1/hook", { allowHttp: false, allowPrivate: false, allowedNetworks: [] }); // "must not lead to a private address"
 */
export function checkWebhookUrl(
	url: string,
	policy: NetworkPolicy,
): string | null {
	return (
		findUrlProblem(url, policy, createAddressCheck(policy))?.message ?? null
	);
}
