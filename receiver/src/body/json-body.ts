import type { Bytes } from "../common/incoming.ts";
import type { Reason } from "../common/reasons.ts";
import { isObject } from "../verify/token.ts";

/** A body that parsed to a JSON object. */
export interface JsonBody {
	/** The JSON bytes, inflated and without a BOM. `payload_sha256` is their hash. */
	bytes: Bytes;
	/** Absent if a framework has left only the parsed object. */
	text?: string | undefined;
	value: Record<string, unknown>;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const withoutBom = (bytes: Bytes): Bytes =>
	bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
		? bytes.subarray(3)
		: bytes;

/** Parses body bytes strictly: they must be valid UTF-8 and a JSON object. One BOM is allowed. */
export function parseJsonBody(raw: Bytes): JsonBody | Reason {
	const bytes = withoutBom(raw);
	if (bytes.length === 0) return "EMPTY_BODY";
	let text: string;
	try {
		text = decoder.decode(bytes);
	} catch {
		return "INVALID_UTF8";
	}
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return "INVALID_JSON";
	}
	return isObject(value) ? { bytes, text, value } : "INVALID_SHAPE";
}

const STRING_OR_STRUCTURE = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g;

/** Does an object in valid JSON text repeat a member name, also in another escape? */
export function hasDuplicateKey(text: string): boolean {
	const open: (Set<string> | undefined)[] = [];
	let last = "";
	for (const [token] of text.matchAll(STRING_OR_STRUCTURE)) {
		if (token === "{") open.push(new Set());
		else if (token === "[") open.push(undefined);
		else if (token === "}" || token === "]") open.pop();
		else if (token === ":") {
			const key: string = JSON.parse(last);
			const keys = open.at(-1);
			if (keys?.has(key)) return true;
			keys?.add(key);
		} else last = token;
	}
	return false;
}
