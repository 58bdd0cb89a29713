import { createHash } from "node:crypto";

const PLAIN_UP_TO = 500;

/**
 * A key that PostgreSQL can hold and index, whatever the sender wrote: its text has no NUL and no lone surrogate, and a B-tree no entry over
 * 2 704 bytes. Others become their hash.
 */
export function toKey(text: string): string {
	const isPlain =
		text.length <= PLAIN_UP_TO && !/[\0\p{Surrogate}]/u.test(text);
	if (isPlain && !text.startsWith("sha256:")) return text;
	// JSON.stringify keeps lone surrogates apart, which UTF-8 does not.
	return `sha256:${createHash("sha256").update(JSON.stringify(text)).digest("base64url")}`;
}
