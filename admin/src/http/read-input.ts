import { isUtf8 } from "node:buffer";
import { ApiError, type Operation } from "@partnerwire/contract";
import type { RawInput } from "@partnerwire/core";
import type { H3Event } from "h3";
import { requireExactPath } from "./plain-path.ts";

/** Decisions §1: a larger body is a 400, because the spec's table has no 413. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** No body of the API needs more levels, and serializing far more of them overflows the stack. */
const MAX_DEPTH = 100;

const JSON_TYPE =
	/^application\/(?:[\w.+-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i;
const BOM = "\uFEFF";
/** What decoding puts in place of bytes that are not UTF-8; a text may also hold it by right. */
const REPLACEMENT = "\uFFFD";

/** What a request gives an operation, before parsing. Throws a 400 for a body that is not a JSON object. */
export async function readInput(
	operation: Operation,
	event: H3Event,
): Promise<RawInput> {
	if (operation.exact) requireExactPath(event);
	return {
		// As sent: no id needs decoding (decisions §1: paths).
		params: event.context.params ?? {},
		query: toQuery(event.url.searchParams),
		...((operation.body || operation.exact) && {
			body: await readJsonBody(event.req),
		}),
	};
}

/** A parameter that is given more than once is an array. */
function toQuery(
	parameters: URLSearchParams,
): Record<string, string | string[]> {
	const query = new Map<string, string | string[]>();
	// One walk: `getAll` of each name would walk all of them again.
	for (const [name, value] of parameters) {
		const before = query.get(name);
		if (before === undefined) query.set(name, value);
		else if (typeof before === "string") query.set(name, [before, value]);
		else before.push(value);
	}
	return Object.fromEntries(query);
}

/** A request's JSON object. Undefined when there is no body at all: whether that is allowed is the operation's to say. */
export async function readJsonBody(request: H3Event["req"]): Promise<unknown> {
	const text = await readText(request);
	if (text === "") return undefined;
	const type = request.headers.get("content-type") ?? "";
	if (!JSON_TYPE.test(type))
		throw invalidBody("the Content-Type must be application/json");
	const body = parseJson(text.startsWith(BOM) ? text.slice(1) : text);
	if (typeof body !== "object" || body === null || Array.isArray(body))
		throw invalidBody("must be a JSON object");
	if (hasManyBrackets(text) && isTooDeep(body))
		throw invalidBody("is nested too deeply");
	return body;
}

/** With fewer brackets than levels nothing can be too deep, and counting them is cheaper than walking the body. */
function hasManyBrackets(text: string): boolean {
	let brackets = 0;
	for (const bracket of "{[") {
		let at = text.indexOf(bracket);
		for (; at >= 0; at = text.indexOf(bracket, at + 1))
			if (++brackets > MAX_DEPTH) return true;
	}
	return false;
}

/** Level by level, because recursion is what such a body is made to break. */
function isTooDeep(body: object): boolean {
	let level: object[] = [body];
	for (let depth = 1; level.length > 0; depth++) {
		if (depth > MAX_DEPTH) return true;
		level = level.flatMap((value) => Object.values(value).filter(isObject));
	}
	return false;
}

const isObject = (value: unknown): value is object =>
	typeof value === "object" && value !== null;

async function readText(request: H3Event["req"]): Promise<string> {
	// A client that waits for `100 Continue`, or for an answer, is told at once.
	if (Number(request.headers.get("content-length")) > MAX_BODY_BYTES)
		throw new OversizedBodyError();
	const { text, chunks } = await decode(request);
	if (text.includes(REPLACEMENT) && !isUtf8(Buffer.concat(chunks)))
		throw invalidBody("is not valid UTF-8");
	if (Buffer.byteLength(text) > MAX_BODY_BYTES) throw new OversizedBodyError();
	return text;
}

/**
 * The decoded body, and its bytes where node's own request is at hand: `request.bytes()` would make a native request
 * out of it, which is slow.
 */
async function decode(request: H3Event["req"]) {
	const chunks: Buffer[] = [];
	const source = request.runtime?.node?.req;
	const keep = (chunk: Buffer) => void chunks.push(chunk);
	source?.on("data", keep);
	try {
		return { text: await request.text(), chunks };
	} catch (error) {
		throw (error as { code?: unknown }).code === "ERR_BODY_TOO_LARGE"
			? new OversizedBodyError()
			: invalidBody("could not be read to its end");
	} finally {
		source?.off("data", keep);
	}
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw invalidBody("is not valid JSON");
	}
}

const toDetail = (message: string) => ({
	details: [{ field: "body", reason: "invalid_value", message }],
});

const invalidBody = (message: string) =>
	new ApiError("validation_error", `body: ${message}`, toDetail(message));

const OVERSIZED = `must have at most ${MAX_BODY_BYTES} bytes`;

/** The rest of the body is not read, so the connection cannot be used again. */
export class OversizedBodyError extends ApiError {
	constructor() {
		super("validation_error", `body: ${OVERSIZED}`, toDetail(OVERSIZED));
	}
}
