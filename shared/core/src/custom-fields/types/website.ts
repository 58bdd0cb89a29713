import { invalid, type ParseInner } from "./parsed.ts";
import { refusalOfText } from "./to-text.ts";

const MAX_LENGTH = 2048;
const UNFIT = /[\s\p{Cc}\\]/u;
const WEB = /^https?:\/\//i;
/** A dot between two labels; parsers make an address out of a bare number. */
const DOTTED = /[^.]\.[^.]/;

/**
 * An absolute http or https URL, `https://` put before a bare domain. Refused are other schemes, credentials (under
 * which `mailto:a@b.c` comes once `https://` stands before it), white space, and a host without a dot unless it is an
 * address.
 */
export const parseWebsite: ParseInner = (given) => {
	const refusal = refusalOfText(given, MAX_LENGTH);
	if (refusal) return invalid(refusal);
	const trimmed = (given as string).trim();
	const text = WEB.test(trimmed) ? trimmed : `https://${trimmed}`;
	const authority = text.replace(WEB, "").split(/[/?#]/)[0] as string;
	if (
		UNFIT.test(text) ||
		authority.includes("@") ||
		!(DOTTED.test(authority) || authority.startsWith("[")) ||
		!URL.canParse(text)
	)
		return invalid("must be a website: a domain, or an http or https URL");
	const { href } = new URL(text);
	if (href.length > MAX_LENGTH)
		return invalid(`must have at most ${MAX_LENGTH} characters`);
	return { value: { text: href } };
};
