import { createHash } from "node:crypto";

const PLAIN_UP_TO = 500;

/**
 * Makes a key that PostgreSQL can store and index from any text of a sender. PostgreSQL's text cannot contain NUL or lone surrogates,
 * and a B-tree entry has at most 2,704 bytes. Texts that do not fit become their hash.
 */
export function toKey(text: string): string {
	const isPlain =
		text.length <= PLAIN_UP_TO && !/[\0\p{Surrogate}]/u.test(text);
	if (isPlain && !text.startsWith("sha256:")) return text;
	// JSON.stringify escapes lone surrogates. In UTF-8 they would all become the same bytes.
	return `sha256:${createHash("sha256").update(JSON.stringify(text)).digest("base64url")}`;
}
