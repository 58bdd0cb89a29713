/* Tells a client which members and parameters of its request are ignored (docs/decisions.md#unknown-members-and-parameters). */
import { findUnknown, type Operation } from "@partnerwire/contract";
import type { RawInput } from "@partnerwire/core";
import type { H3Event } from "h3";

/** More names than these help nobody, and clients and proxies take few KB of headers. */
const MOST_NAMES = 20;
const MOST_BYTES = 100;

const STRICT = /(?:^|,)\s*handling\s*=\s*"?strict"?\s*(?:[;,]|$)/i;

/** Whether the client wants unknown members refused: `Prefer: handling=strict` (RFC 7240 §4.4). The answer says that they are. */
export function takeStrictness({ req, res }: H3Event): boolean {
	const isStrict = STRICT.test(req.headers.get("prefer") ?? "");
	if (isStrict) res.headers.set("preference-applied", "handling=strict");
	return isStrict;
}

/** Sets `Partnerwire-Ignored: body/name, body/value; query/limit`, unless there is nothing to tell. */
export function setIgnoredHeader(
	{ res }: H3Event,
	operation: Operation,
	{ query, body }: RawInput,
): void {
	const parts: string[] = [];
	let left = MOST_NAMES;
	for (const [part, schema, input] of [
		["body", operation.body, body],
		["query", operation.query, query],
	] as const) {
		const names: string[] = [];
		for (const member of findUnknown(schema, input)) {
			names.push(left > 0 ? toHeaderText(`${part}/${member}`) : "more");
			if (left-- <= 0) break;
		}
		if (names.length > 0) parts.push(names.join(", "));
	}
	if (parts.length > 0)
		res.headers.set("partnerwire-ignored", parts.join("; "));
}

/** A header takes ASCII: all else, and what separates names, is percent-encoded. */
const toHeaderText = (text: string): string =>
	Buffer.from(text.slice(0, MOST_BYTES))
		.toString("latin1")
		.replace(
			/[^\w.~/-]/g,
			(byte) =>
				`%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
		)
		.slice(0, MOST_BYTES)
		.replace(/%.?$/, "");
