/* Keeps passwords and keys out of messages. Masking of known secrets in receivers' answers is the dispatcher's. */
import { parseUrl } from "@partnerwire/wire";

/** The user and password of a URL, up to the last `@`: people do not encode `/`, `#` and `@` in passwords. */
const USER_AND_PASSWORD = /([a-z][\w+.-]*:\/\/)\S*@/gi;
/** A parameter of a URL, or a pair of a connection string, by its name. */
const SECRET_PAIR =
	/((?:passw(?:or)?d|pwd|secret|token|api[_-]?key)["']?\s*[=:]\s*["']?)[^&;,\s"']+/gi;
const API_KEY = /pwk_[\w-]+/g;

/** Replaces the password of a URL wherever a text repeats it, as servers do that refuse it. */
export function maskPasswordOf(url: string, text: string): string {
	const password = parseUrl(url)?.password;
	if (!password) return text;
	const spellings = [password];
	try {
		spellings.push(decodeURIComponent(password));
	} catch {
		// A broken percent-encoding is the password itself.
	}
	return spellings.reduce(
		(shown, secret) => shown.replaceAll(secret, "***"),
		text,
	);
}

/** Replaces credentials in a message by `***`. A message may quote a value that was meant for another setting. */
export const maskCredentials = (text: string): string =>
	text
		.replace(USER_AND_PASSWORD, "$1***@")
		.replace(SECRET_PAIR, "$1***")
		.replace(API_KEY, "pwk_***");
