import { z } from "zod";

const WANTED = "must be the path of a file, or a postgres:// URL";
/** Two letters at least: `C:` is a drive. */
const SCHEME = /^[a-z][\w+.-]+:/i;
/** `POSTGRES_URL`, or what a shell would have put something else in the place of. */
const VARIABLE = /^([A-Z][A-Z0-9]*(_[A-Z0-9]+)+|\$\{?\w+\}?|%\w+%)$/;

/** Whether a URL of a server can be read, and its password does not reach into the rest, which may be told. */
export function isServerUrl(text: string): boolean {
	if (!URL.canParse(text)) return false;
	const { pathname, hash } = new URL(text);
	return !pathname.includes("@") && hash === "";
}

/** What is wrong with a `--database`; it is not repeated, because it may hold a password. */
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

/** SQLite would make a file of whatever is misspelt. */
export const databaseSetting = z.string().superRefine((text, context) => {
	const message = findProblem(text);
	if (message !== undefined) context.addIssue({ code: "custom", message });
});
