import { ApiError, type Operation } from "@partnerwire/contract";
import type { RawInput } from "@partnerwire/core";
import type { H3Event } from "h3";

/** Decisions §1: a larger body is a 400, because the spec's table has no 413. */
export const MAX_BODY_BYTES = 1024 * 1024;

const JSON_TYPE =
	/^application\/(?:[\w.+-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i;
const BOM = "\uFEFF";

/** What a request gives an operation, before parsing. Throws a 400 for a body that is not a JSON object. */
export async function readInput(
	operation: Operation,
	event: H3Event,
): Promise<RawInput> {
	return {
		params: mapValues(event.context.params ?? {}, decodePathParameter),
		query: toQuery(event.url.searchParams),
		...(operation.body && { body: await readJsonBody(event.req) }),
	};
}

const mapValues = (
	record: Record<string, string>,
	map: (value: string) => string,
) =>
	Object.fromEntries(
		Object.entries(record).map(([name, value]) => [name, map(value)]),
	);

function decodePathParameter(value: string): string {
	try {
		return decodeURIComponent(value);
	} catch {
		return value;
	}
}

/** A parameter that is given more than once is an array. */
function toQuery(
	parameters: URLSearchParams,
): Record<string, string | string[]> {
	const names = [...new Set(parameters.keys())];
	return Object.fromEntries(
		names.map((name) => {
			const values = parameters.getAll(name);
			return [name, values.length === 1 ? (values[0] as string) : values];
		}),
	);
}

/** Undefined when there is no body at all: whether that is allowed is the operation's to say. */
async function readJsonBody(request: Request): Promise<unknown> {
	const text = await readText(request);
	if (text === "") return undefined;
	const type = request.headers.get("content-type") ?? "";
	if (!JSON_TYPE.test(type))
		throw invalidBody("the Content-Type must be application/json");
	const body = parseJson(text.startsWith(BOM) ? text.slice(1) : text);
	if (typeof body !== "object" || body === null || Array.isArray(body))
		throw invalidBody("must be a JSON object");
	return body;
}

async function readText(request: Request): Promise<string> {
	// A client that waits for `100 Continue`, or for an answer, is told at once.
	if (Number(request.headers.get("content-length")) > MAX_BODY_BYTES)
		throw new OversizedBodyError();
	try {
		const text = await request.text();
		if (Buffer.byteLength(text) <= MAX_BODY_BYTES) return text;
	} catch (error) {
		if ((error as { code?: unknown }).code !== "ERR_BODY_TOO_LARGE")
			throw invalidBody("could not be read to its end");
	}
	throw new OversizedBodyError();
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
