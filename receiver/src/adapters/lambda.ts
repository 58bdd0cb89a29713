import { type BodySource, type Incoming, toBytes } from "../common/incoming.ts";
import type { Receiver } from "../receiver.ts";

/** The parts of an API Gateway (v1, v2), function URL or ALB event that the receiver needs. */
export interface LambdaEventLike {
	httpMethod?: string;
	requestContext?: object;
	headers?: Record<string, string | undefined> | null;
	multiValueHeaders?: Record<string, string[] | undefined> | null;
	body?: string | null;
	isBase64Encoded?: boolean;
}

/** The answer. It has exactly the keys of the event's version: API Gateway answers 502 if there are others. */
export interface LambdaResult {
	statusCode: number;
	statusDescription?: string;
	headers?: Record<string, string>;
	multiValueHeaders?: Record<string, string[]>;
	body: string;
	isBase64Encoded: boolean;
}

const STATUS_TEXT: Readonly<Record<number, string>> = {
	200: "OK",
	204: "No Content",
	400: "Bad Request",
	401: "Unauthorized",
	405: "Method Not Allowed",
	408: "Request Timeout",
	413: "Content Too Large",
	415: "Unsupported Media Type",
	500: "Internal Server Error",
	503: "Service Unavailable",
};

/** Merges both header members by lower-cased name. Either may be null. */
function mergeHeaders(event: LambdaEventLike): Map<string, Set<string>> {
	const merged = new Map<string, Set<string>>();
	const add = (name: string, value: string) => {
		const key = name.toLowerCase();
		merged.set(key, (merged.get(key) ?? new Set()).add(value));
	};
	for (const [name, value] of Object.entries(event.headers ?? {}))
		if (value !== undefined) add(name, value);
	for (const [name, values] of Object.entries(event.multiValueHeaders ?? {}))
		for (const value of values ?? []) add(name, value);
	return merged;
}

/** Decodes base64 to bytes, not to text: ASCII would destroy all other characters. */
function bodyOfEvent({ body, isBase64Encoded }: LambdaEventLike): BodySource {
	if (isBase64Encoded)
		return { kind: "bytes", bytes: toBytes(Buffer.from(body ?? "", "base64")) };
	return { kind: "text", text: body ?? "" };
}

/** The request context, by which the versions of events differ. */
const contextOf = (
	event: LambdaEventLike,
): { http?: { method: string }; elb?: unknown } => event.requestContext ?? {};

function fromEvent(event: LambdaEventLike): Incoming {
	const headers = mergeHeaders(event);
	return {
		method: contextOf(event).http?.method ?? event.httpMethod ?? "",
		header: (name) => {
			const values = headers.get(name);
			return values && [...values].join(",");
		},
		body: () => bodyOfEvent(event),
	};
}

/**
 * An AWS Lambda handler for API Gateway (REST and HTTP APIs), function URLs and load balancers.
 *
 * @example
 * export const handler = toLambda(receiver);
 */
export function toLambda(
	receiver: Receiver,
): (event: LambdaEventLike, context?: unknown) => Promise<LambdaResult> {
	// At most two parameters: newer runtimes refuse handlers with a third one, the callback.
	return async (event) => {
		const verdict = await receiver.handle(fromEvent(event));
		const { status, headers, body } = verdict;
		const result = { statusCode: status, body, isBase64Encoded: false };
		if (!contextOf(event).elb) return { ...result, headers: { ...headers } };
		const statusDescription = `${status} ${STATUS_TEXT[status] ?? ""}`.trim();
		// A target group with multi-value headers ignores all others.
		if (!event.multiValueHeaders)
			return { ...result, statusDescription, headers: { ...headers } };
		const multiValueHeaders = Object.fromEntries(
			Object.entries(headers).map(([name, value]) => [name, [value]]),
		);
		return { ...result, statusDescription, multiValueHeaders };
	};
}
