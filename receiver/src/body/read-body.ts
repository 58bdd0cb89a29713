import type { Bytes, Incoming } from "../common/incoming.ts";
import type { Reason } from "../common/reasons.ts";
import { withTimeLimit } from "../common/time-limit.ts";
import type { Awaitable } from "../verify/platform-crypto.ts";
import { isObject } from "../verify/token.ts";
import { canonicalise, TooDeep } from "./canonical.ts";
import type { Coding } from "./content.ts";
import { inflate } from "./inflate.ts";
import { hasDuplicateKey, type JsonBody, parseJsonBody } from "./json-body.ts";

/** The limits within which a body is read. */
export interface ReadLimits {
	maxBodyBytes: number;
	bodyTimeoutMs: number;
	rejectDuplicateKeys: boolean;
}

/** A parsed body, with its canonical form. */
export interface ReadBody extends JsonBody {
	canonical: string;
}

const encoder = new TextEncoder();

/** Reads the bytes of a body, or takes what a parser left of them. */
export function readBytes(
	incoming: Incoming,
	limits: ReadLimits,
): Awaitable<Bytes | { parsed: unknown } | Reason> {
	const body = incoming.body();
	switch (body.kind) {
		case "used":
			return "BODY_ALREADY_READ";
		case "parsed":
			return { parsed: body.value };
		case "text":
			return encoder.encode(body.text);
		case "bytes":
			return body.bytes;
		case "stream":
			return withTimeLimit(
				body.read(limits.maxBodyBytes),
				limits.bodyTimeoutMs,
				(): Reason => {
					body.cancel();
					return "BODY_TIMEOUT";
				},
			);
	}
}

/** Takes the object that a framework has parsed. Its `JSON.stringify` replaces the lost bytes. */
function toParsedBody(
	value: unknown,
	{ maxBodyBytes }: ReadLimits,
): ReadBody | Reason {
	if (!isObject(value)) return "INVALID_SHAPE";
	// Before JSON.stringify, which has no depth limit of its own.
	const canonical = canonicalise(value);
	const bytes = encoder.encode(JSON.stringify(value));
	return bytes.length > maxBodyBytes
		? "BODY_TOO_LARGE"
		: { bytes, value, canonical };
}

/** Reads and parses the body within its limits of bytes, time and depth, or says why it is refused. */
export async function readBody(
	incoming: Incoming,
	coding: Coding,
	limits: ReadLimits,
): Promise<ReadBody | Reason> {
	let read = await readBytes(incoming, limits);
	if (typeof read === "string") return read;
	try {
		if ("parsed" in read) return toParsedBody(read.parsed, limits);
		if (read.length > limits.maxBodyBytes) return "BODY_TOO_LARGE";
		if (coding !== "identity") {
			const inflated = await inflate(read, coding, limits.maxBodyBytes);
			if (typeof inflated === "string") return inflated;
			read = inflated;
		}
		const body = parseJsonBody(read);
		if (typeof body === "string") return body;
		const canonical = canonicalise(body.value, body.text);
		if (limits.rejectDuplicateKeys && hasDuplicateKey(body.text ?? ""))
			return "DUPLICATE_KEY";
		const { bytes, text, value } = body;
		return { bytes, text, value, canonical };
	} catch (error) {
		if (error instanceof TooDeep) return "TOO_DEEP";
		throw error;
	}
}
