/**
 * The value of a variable, without surrounding white space and without the quotes that `docker run --env-file` keeps.
 * Undefined if nothing is left.
 */
export function readVariable(
	name: string,
	env: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
	const text = (env[name] ?? "").trim();
	const [, , unquoted = text] = /^(["'])(.*)\1$/s.exec(text) ?? [];
	return unquoted.trim() || undefined;
}
