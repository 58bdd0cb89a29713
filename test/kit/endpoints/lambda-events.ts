import type {
	ALBEvent,
	APIGatewayProxyEvent,
	APIGatewayProxyEventV2,
} from "aws-lambda";
import { bodyBytes, hasBody, headerLines, type Shot } from "./shot.ts";

const isText = (bytes: Buffer): boolean =>
	Buffer.from(bytes.toString()).equals(bytes);

/** The body members of an event. A body that is not text is base64, as the gateways do it. */
function body(shot: Shot): { body: string | null; isBase64Encoded: boolean } {
	const bytes = bodyBytes(shot);
	if (!hasBody(shot) || bytes.length === 0)
		return { body: null, isBase64Encoded: false };
	return isText(bytes)
		? { body: bytes.toString(), isBase64Encoded: false }
		: { body: bytes.toString("base64"), isBase64Encoded: true };
}

function multiValueHeaders(shot: Shot): Record<string, string[]> {
	const headers: Record<string, string[]> = {};
	for (const [name, value] of headerLines(shot))
		headers[name] = [...(headers[name] ?? []), value];
	return headers;
}

const last = (headers: Record<string, string[]>): Record<string, string> =>
	Object.fromEntries(
		Object.entries(headers).map(([name, values]) => [
			name,
			values.at(-1) ?? "",
		]),
	);

/** API Gateway REST: both header members, `headers` with the last value of each. */
export function toV1Event(shot: Shot): APIGatewayProxyEvent {
	const headers = multiValueHeaders(shot);
	const path = shot.path ?? "/hook";
	return {
		resource: path,
		path,
		httpMethod: shot.method ?? "POST",
		headers: last(headers),
		multiValueHeaders: headers,
		queryStringParameters: null,
		multiValueQueryStringParameters: null,
		pathParameters: null,
		stageVariables: null,
		requestContext: {} as APIGatewayProxyEvent["requestContext"],
		...body(shot),
	};
}

/** API Gateway HTTP and function URLs: values are joined by commas; without a body there is no body member. */
export function toV2Event(shot: Shot): APIGatewayProxyEventV2 {
	const headers = Object.fromEntries(
		Object.entries(multiValueHeaders(shot)).map(([name, values]) => [
			name,
			values.join(","),
		]),
	);
	const { body: text, isBase64Encoded } = body(shot);
	const path = shot.path ?? "/hook";
	return {
		version: "2.0",
		routeKey: "$default",
		rawPath: path,
		rawQueryString: "",
		headers,
		requestContext: {
			http: { method: shot.method ?? "POST", path },
		} as APIGatewayProxyEventV2["requestContext"],
		isBase64Encoded,
		...(text === null ? {} : { body: text }),
	};
}

/** A load balancer whose target group has multi-value headers on: `headers` is absent. */
export function toAlbEvent(shot: Shot): ALBEvent {
	return {
		requestContext: { elb: { targetGroupArn: "arn:aws:example" } },
		httpMethod: shot.method ?? "POST",
		path: shot.path ?? "/hook",
		multiValueHeaders: multiValueHeaders(shot),
		...body(shot),
		body: body(shot).body ?? "",
	};
}
