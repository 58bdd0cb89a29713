/** Quotes text for a POSIX shell. */
export const quote = (text: string): string =>
	`'${text.replaceAll("'", `'\\''`)}'`;

/** Stands for the token, which is never shown (docs/decisions.md#request-of-a-webhook-event). */
export const TOKEN_PLACEHOLDER = "$WEBHOOK_TOKEN";

/** Formats a request as a curl command. A comment in it explains the token's placeholder. */
export function toCurl({ url, body }: { url: string; body: string }): string {
	return [
		"# WEBHOOK_TOKEN: npx partnerwire token sign --help",
		`curl -i ${quote(url)} \\`,
		`  -H "authorization: Bearer ${TOKEN_PLACEHOLDER}" \\`,
		"  -H 'content-type: application/json' \\",
		`  --data-binary ${quote(body)}`,
	].join("\n");
}
