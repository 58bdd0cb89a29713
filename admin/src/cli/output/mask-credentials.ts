/** What a URL holds before its host, to the last `@`: people write passwords with `/`, `#` and `@` as they are. */
const USER_AND_PASSWORD = /([a-z][\w+.-]*:\/\/)\S*@/gi;
/** A parameter of a URL, or a pair of a connection string, by its name. */
const SECRET_PAIR =
	/((?:passw(?:or)?d|pwd|secret|token|api[_-]?key)["']?\s*[=:]\s*["']?)[^&;,\s"']+/gi;
const API_KEY = /pwk_[\w-]+/g;

/** A message for people or for the log with `***` in the place of credentials: what it quotes may be somebody's mistake for another value. */
export const maskCredentials = (text: string): string =>
	text
		.replace(USER_AND_PASSWORD, "$1***@")
		.replace(SECRET_PAIR, "$1***")
		.replace(API_KEY, "pwk_***");
