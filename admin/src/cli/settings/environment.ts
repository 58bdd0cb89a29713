/**
 * The value of a variable: without white space around it, and without the quotes that `docker run --env-file` keeps;
 * undefined if nothing is left.
 */
export function readVariable(
	name: string,
	env: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
	const text = (env[name] ?? "").trim();
	const [, , unquoted = text] = /^(["'])(.*)\1$/s.exec(text) ?? [];
	return unquoted.trim() || undefined;
}
