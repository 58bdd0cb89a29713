import { isUtf8 } from "node:buffer";
import { ApiError, type Operation } from "@partnerwire/contract";
import type { RawInput } from "@partnerwire/core";
import type { H3Event } from "h3";
import { requireExactPath } from "./plain-path.ts";

/** A larger body is a 400, because the contract's table of errors has no 413 (docs/decisions.md#bodies). */
export const MAX_BODY_BYTES = 1024 * 1024;

/** No body of the API needs more levels. Serializing far more of them would overflow the stack. */
const MAX_DEPTH = 100;

const JSON_TYPE =
	/^application\/(?:[\w.+-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i;
const BOM = "\uFEFF";
/** The decoder replaces bytes that are not UTF-8 by this character. A valid text may also contain it. */
const REPLACEMENT = "\uFFFD";

/** Reads the raw input of an operation: path, query and body. Throws a 400 for a body that is not a JSON object. */
export async function readInput(
	operation: Operation,
	event: H3Event,
): Promise<RawInput> {
	if (operation.exact) requireExactPath(event);
	return {
		// Not decoded: no id needs it (docs/decisions.md#paths).
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
	// One pass: `getAll` for each name would be quadratic.
	for (const [name, value] of parameters) {
		const before = query.get(name);
		if (before === undefined) query.set(name, value);
		else if (typeof before === "string") query.set(name, [before, value]);
		else before.push(value);
	}
	return Object.fromEntries(query);
}

/** A request's JSON object. Undefined without a body: the operation decides whether that is allowed. */
export async function readJsonBody(request: H3Event["req"]): Promise<unknown> {
	const body = await readJson(request);
	if (body !== undefined && (!isObject(body) || Array.isArray(body)))
		throw invalidBody("must be a JSON object");
	return body;
}

/** A request's JSON of any kind. Undefined without a body. */
export async function readJson(request: H3Event["req"]): Promise<unknown> {
	const text = await readText(request);
	if (text === "") return undefined;
	const type = request.headers.get("content-type") ?? "";
	if (!JSON_TYPE.test(type))
		throw invalidBody("the Content-Type must be application/json");
	const json = parseJson(text.startsWith(BOM) ? text.slice(1) : text);
	if (isObject(json) && hasManyBrackets(text) && isTooDeep(json))
		throw invalidBody("is nested too deeply");
	return json;
}

/** A body with fewer brackets than MAX_DEPTH cannot be too deep. Counting them is cheaper than walking the body. */
function hasManyBrackets(text: string): boolean {
	let brackets = 0;
	for (const bracket of "{[") {
		let at = text.indexOf(bracket);
		for (; at >= 0; at = text.indexOf(bracket, at + 1))
			if (++brackets > MAX_DEPTH) return true;
	}
	return false;
}

/** Walks level by level: recursion would overflow the stack, which such a body aims at. */
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
	// Refused before the body is read: the client may wait for `100 Continue`.
	if (Number(request.headers.get("content-length")) > MAX_BODY_BYTES)
		throw new OversizedBodyError();
	const { text, chunks } = await decode(request);
	const encoding = request.headers.get("content-encoding") ?? "";
	if (text !== "" && !/^(?:identity)?$/i.test(encoding))
		throw invalidBody(
			"must be sent as it is: no Content-Encoding, such as gzip, is read",
		);
	if (text.includes(REPLACEMENT) && !isUtf8(Buffer.concat(chunks)))
		throw invalidBody("is not valid UTF-8");
	if (Buffer.byteLength(text) > MAX_BODY_BYTES) throw new OversizedBodyError();
	return text;
}

/**
 * The decoded body, and its bytes if node's own request is there to listen to. `request.bytes()` would build a native
 * request, which is slow.
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
