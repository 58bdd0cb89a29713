/** Text for a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** What is put where the token was: a token is never shown (decisions §2). */
export const TOKEN_PLACEHOLDER = "$WEBHOOK_TOKEN";

/** A request as a curl command; the token is a placeholder, which a comment explains. */
export function toCurl({ url, body }: { url: string; body: string }): string {
	return [
		"# WEBHOOK_TOKEN: npx partnerwire token sign --help",
		`curl -i ${quote(url)} \\`,
		`  -H "authorization: Bearer ${TOKEN_PLACEHOLDER}" \\`,
		"  -H 'content-type: application/json' \\",
		`  --data-binary ${quote(body)}`,
	].join("\n");
}
