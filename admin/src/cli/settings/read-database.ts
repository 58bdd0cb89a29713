/* The reader of `--database`. It is strict, because SQLite would create a file for any misspelt value. */
import { UsageError } from "../usage-error.ts";
import type { Reader } from "./flag.ts";
import { isServerUrl } from "./readers.ts";

const WANTED = "must be the path of a file, or a postgres:// URL";
/** A URL scheme has at least two letters here: `C:` is a drive. */
const SCHEME = /^[a-z][\w+.-]+:/i;
/** The name of a variable, such as `POSTGRES_URL`, or a reference to one that the shell did not replace, such as `$URL`. */
const VARIABLE = /^([A-Z][A-Z0-9]*(_[A-Z0-9]+)+|\$\{?\w+\}?|%\w+%)$/;

/** Finds the problem of a `--database` value. The message does not repeat the value: it may hold a password. */
function findProblem(text: string): string | undefined {
	if (/^postgres(ql)?:\/\//i.test(text))
		return isServerUrl(text)
			? undefined
			: "cannot be read: check its port, and write / ? # @ of its user and password as %2F %3F %23 %40";
	if (SCHEME.test(text) || text.includes("://"))
		return `${WANTED}; other schemes are not known, sqlite: and file: neither (a file with a colon in its name is ./name)`;
	if (VARIABLE.test(text))
		return `${WANTED}; this looks like the name of a variable: give its value, as "$POSTGRES_URL" (a file of such a name is ./NAME)`;
	return text === "" || text === ":memory:" ? WANTED : undefined;
}

/** Reads the path of a file, or a server's URL (docs/decisions.md#which-database). */
export const readDatabase: Reader<string> = (text, name) => {
	const problem = findProblem(text);
	if (problem === undefined) return text;
	throw new UsageError(`${name} ${problem}`);
};
