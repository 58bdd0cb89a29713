import { parseUrl } from "@partnerwire/wire";
import { invalid, type ParseInner } from "./parsed.ts";
import { refusalOfText } from "./to-text.ts";

const MAX_LENGTH = 2048;
const UNFIT = /[\s\p{Cc}\\]/u;
const WEB = /^https?:\/\//i;
const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i;
/** An IPv4 address as the URL parser writes it. */
const IPV4 = /^\d+(?:\.\d+){3}$/;
/** A host name of at least two labels, as the URL parser writes it: in ASCII, lower case. */
const DOMAIN =
	/^(?:[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?\.)+[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?$/;

/**
 * Parses an absolute http or https URL, or a bare domain, which gets `https://` in front. It refuses other schemes,
 * credentials, white space, and a host without a dot unless it is an address. `mailto:a@b.c` is refused as
 * credentials, because `https://` is put before it.
 */
export const parseWebsite: ParseInner = (submitted) => {
	const refusal = refusalOfText(submitted, MAX_LENGTH);
	if (refusal) return invalid(refusal);
	const trimmed = (submitted as string).trim();
	const text = SCHEME.test(trimmed) ? trimmed : `https://${trimmed}`;
	const authority = text.replace(WEB, "").split(/[/?#]/)[0] as string;
	const url = parseUrl(text);
	if (
		!url ||
		!WEB.test(text) ||
		UNFIT.test(text) ||
		authority === "" ||
		authority.includes("@") ||
		!isPublicName(url, authority)
	)
		return invalid("must be a website: a domain, or an http or https URL");
	const { href } = url;
	if (href.length > MAX_LENGTH)
		return invalid(`must have at most ${MAX_LENGTH} characters`);
	return { value: { text: href } };
};

/** Whether the host has a dot or is an address. Removes one trailing dot, which does not change the name. */
function isPublicName(url: URL, authority: string): boolean {
	if (url.hostname.startsWith("[")) return true;
	if (url.hostname.endsWith(".")) url.hostname = url.hostname.slice(0, -1);
	// URL parsers read 1.5 as the address 1.0.0.5. Only an address that was written in full is accepted.
	if (IPV4.test(url.hostname))
		return authority.replace(/\.?(:\d*)?$/, "") === url.hostname;
	return DOMAIN.test(url.hostname);
}
