import { invalid, type ParseInner } from "./parsed.ts";
import { refusalOfText } from "./to-text.ts";

const MAX_LENGTH = 2048;
const UNFIT = /[\s\p{Cc}\\]/u;
const WEB = /^https?:\/\//i;
const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i;
/** As the parser spells every address of four numbers. */
const IPV4 = /^\d+(?:\.\d+){3}$/;
/** Two labels of a host name at least, as the parser spells them: in ASCII, lower case. */
const DOMAIN =
	/^(?:[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?\.)+[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?$/;

/**
 * An absolute http or https URL, `https://` put before a bare domain. Refused are other schemes, credentials (under
 * which `mailto:a@b.c` comes once `https://` stands before it), white space, and a host without a dot unless it is an
 * address.
 */
export const parseWebsite: ParseInner = (given) => {
	const refusal = refusalOfText(given, MAX_LENGTH);
	if (refusal) return invalid(refusal);
	const trimmed = (given as string).trim();
	const text = SCHEME.test(trimmed) ? trimmed : `https://${trimmed}`;
	const authority = text.replace(WEB, "").split(/[/?#]/)[0] as string;
	const url = URL.canParse(text) ? new URL(text) : null;
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

/** A host with a dot, or an address; one trailing dot, which says the same, goes. */
function isPublicName(url: URL, authority: string): boolean {
	if (url.hostname.startsWith("[")) return true;
	if (url.hostname.endsWith(".")) url.hostname = url.hostname.slice(0, -1);
	// Parsers make an address of 1.5: only one that was written as one is meant.
	if (IPV4.test(url.hostname))
		return authority.replace(/\.?(:\d*)?$/, "") === url.hostname;
	return DOMAIN.test(url.hostname);
}
