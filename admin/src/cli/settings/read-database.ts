import { z } from "zod";

const WANTED = "must be the path of a file, or a postgres:// URL";
/** A URL scheme has at least two letters here: `C:` is a drive. */
const SCHEME = /^[a-z][\w+.-]+:/i;
/** The name of a variable, such as `POSTGRES_URL`, or a reference to one that the shell did not replace, such as `$URL`. */
const VARIABLE = /^([A-Z][A-Z0-9]*(_[A-Z0-9]+)+|\$\{?\w+\}?|%\w+%)$/;

/** Whether a server's URL is valid, with no part of its password in the path or fragment: messages repeat those. */
export function isServerUrl(text: string): boolean {
	if (!URL.canParse(text)) return false;
	const { pathname, hash } = new URL(text);
	return !pathname.includes("@") && hash === "";
}

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

/** Checked strictly, because SQLite would create a file for any misspelt value (docs/decisions.md#which-database). */
export const databaseSetting = z.string().superRefine((text, context) => {
	const message = findProblem(text);
	if (message !== undefined) context.addIssue({ code: "custom", message });
});
