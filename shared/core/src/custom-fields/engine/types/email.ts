import { invalid, type ParseInner } from "./parsed.ts";
import { refusalOfText } from "./to-text.ts";

/** RFC 5322's dot-atom with letters of any script: no quotes, comments or address literals. */
const LOCAL =
	/^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const LABEL = "[\\p{L}\\p{N}]([\\p{L}\\p{M}\\p{N}-]*[\\p{L}\\p{M}\\p{N}])?";
const DOMAIN = new RegExp(`^${LABEL}(\\.${LABEL})+$`, "u");

const MAX_LOCAL = 64;

/** Parses an e-mail address. Trims it and converts the domain to lower case. */
export const parseEmail: ParseInner = (submitted) => {
	const refusal = refusalOfText(submitted, 320);
	if (refusal) return invalid(refusal);
	const trimmed = (submitted as string).trim();
	const at = trimmed.lastIndexOf("@");
	const local = trimmed.slice(0, Math.max(0, at));
	const domain = trimmed.slice(at + 1).toLowerCase();
	if (!LOCAL.test(local) || local.length > MAX_LOCAL || !DOMAIN.test(domain))
		return invalid("must be an e-mail address");
	return { value: { text: `${local}@${domain}` } };
};
