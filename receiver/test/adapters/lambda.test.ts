import { createReceiver } from "@partnerwire/receiver";
import { type LambdaEventLike, toLambda } from "@partnerwire/receiver/lambda";
import type {
	ALBHandler,
	APIGatewayProxyHandler,
	APIGatewayProxyHandlerV2,
} from "aws-lambda";
import { describe, expect, test } from "vitest";
import {
	toAlbEvent,
	toV1Event,
	toV2Event,
} from "#kit/endpoints/lambda-events.ts";
import {
	BODY,
	GOOD,
	NOW_MS,
	SECRET,
	sha256,
	tok,
} from "#kit/endpoints/tokens.ts";

const labels: unknown[] = [];
const handler = toLambda(
	createReceiver({
		secret: SECRET,
		clock: () => NOW_MS,
		dedup: false,
		log: () => {},
	}).on("Deal", ({ deal }) => labels.push(deal?.label)),
);
const bearer = `Bearer ${GOOD}`;
const base64 = (body: string) => ({
	body: Buffer.from(body).toString("base64"),
	isBase64Encoded: true,
});

describe("A05 A06 base64", () => {
	const label = "Ünï 😀 日本";
	const body = JSON.stringify({
		deal: { uuid: "d", label },
		configuration: [],
	});
	const authorization = `Bearer ${tok({ payload_sha256: sha256(body) })}`;

	test.each([
		["v1", toV1Event({ authorization, body })],
		["v2 and function URLs", toV2Event({ authorization, body })],
		["alb", toAlbEvent({ authorization, body })],
	])("%s", async (_name, event) => {
		labels.length = 0;
		expect((await handler({ ...event, ...base64(body) })).statusCode).toBe(200);
		expect((await handler(event)).statusCode).toBe(200);
		expect(labels).toEqual([label, label]);
	});

	test("no body: null, absent and empty", async () => {
		for (const body of [null, undefined, ""]) {
			const event: LambdaEventLike = {
				...toV1Event({}),
				isBase64Encoded: true,
			};
			if (body === undefined) delete event.body;
			else event.body = body;
			const result = await handler(event);
			expect([result.statusCode, result.body]).toEqual([
				400,
				expect.stringContaining("EMPTY_BODY"),
			]);
		}
	});
});

describe("B06 header members", () => {
	const event: LambdaEventLike = { httpMethod: "POST", body: BODY };

	test.each<[string, number, LambdaEventLike]>([
		[
			"multi-value only",
			200,
			{ headers: null, multiValueHeaders: { Authorization: [bearer] } },
		],
		["upper case", 200, { headers: { AUTHORIZATION: bearer } }],
		[
			"multi-value null",
			200,
			{ headers: { authorization: bearer }, multiValueHeaders: null },
		],
		["both null", 401, { headers: null, multiValueHeaders: null }],
		["both absent", 401, {}],
		[
			"both, the same value",
			200,
			{
				headers: { Authorization: bearer },
				multiValueHeaders: { authorization: [bearer, bearer] },
			},
		],
		[
			"two values",
			401,
			{
				headers: { authorization: bearer },
				multiValueHeaders: { Authorization: ["Bearer x", bearer] },
			},
		],
		[
			"two spellings",
			401,
			{ headers: { authorization: bearer, Authorization: "Bearer x" } },
		],
		["undefined", 401, { headers: { authorization: undefined } }],
	])("%s", async (_name, status, more) => {
		expect((await handler({ ...event, ...more })).statusCode).toBe(status);
	});
});

describe("H06 exact keys of each version", () => {
	test("v1 and v2", async () => {
		for (const event of [toV1Event({}), toV2Event({})])
			expect(await handler(event)).toEqual({
				statusCode: 200,
				headers: { "content-type": "application/json" },
				body: '{"ok":true,"handled":true}',
				isBase64Encoded: false,
			});
	});

	test("alb, with and without multi-value headers", async () => {
		const { multiValueHeaders: _, ...event } = toAlbEvent({});
		const single = { ...event, headers: { authorization: bearer } };
		const expected = {
			statusCode: 200,
			statusDescription: "200 OK",
			body: '{"ok":true,"handled":true}',
			isBase64Encoded: false,
		};
		const headers = { "content-type": "application/json" };
		expect(await handler(single)).toEqual({ ...expected, headers });
		expect(await handler(toAlbEvent({}))).toEqual({
			...expected,
			multiValueHeaders: { "content-type": ["application/json"] },
		});
	});

	test("two parameters at most, and the types of @types/aws-lambda", () => {
		expect(handler.length).toBeLessThanOrEqual(2);
		const v1: APIGatewayProxyHandler = handler;
		const v2: APIGatewayProxyHandlerV2 = handler;
		const alb: ALBHandler = handler;
		expect([v1, v2, alb]).toEqual([handler, handler, handler]);
	});
});
