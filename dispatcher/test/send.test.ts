import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { EventBody } from "@partnerwire/wire";
import { decodeJwt, jwtVerify } from "jose";
import { describe, expect, it } from "vitest";
import { listenHttp, listenRaw } from "#kit/endpoints/receivers.ts";
import {
	buildClaims,
	encodeBody,
	type SendOptions,
	send,
	sendWithRetry,
} from "../src/index.ts";
import { openWire, SECRET } from "./support/wires.ts";

const fixture = new URL(
	"../../fixtures/events/lead_created.json",
	import.meta.url,
);
const { lead, configuration } = JSON.parse(
	readFileSync(fixture, "utf8"),
) as EventBody<"lead_created">;
const NOW = Date.UTC(2026, 10, 27, 22, 0, 0, 999);
const NOW_S = Math.floor(NOW / 1000);

const options = {
	url: "",
	secret: SECRET,
	event: "lead_created",
	entity: lead,
	configuration,
	companyUuid: "01934f2a-7c00-7b3e-8a11-5e0c4d2f9b01",
	userUuid: "01934f2a-7c01-7c44-9b52-0d7e6a1f3c02",
	clock: () => NOW,
} as const satisfies SendOptions<"lead_created">;

/** A receiver that answers with these statuses in order, and then always with the last one. */
async function listenForTokens(...statuses: number[]) {
	const requests: { token: string; body: Buffer }[] = [];
	const receiver = await listenHttp((request, response) => {
		const chunks: Buffer[] = [];
		request.on("data", (chunk: Buffer) => chunks.push(chunk));
		request.on("end", () => {
			const token = request.headers.authorization?.slice(7) ?? "";
			requests.push({ token, body: Buffer.concat(chunks) });
			const status = statuses[Math.min(requests.length, statuses.length) - 1];
			response.writeHead(status ?? 200).end("{}");
		});
	});
	return { ...receiver, requests };
}

describe("encodeBody", () => {
	it("concatenates the stored JSON without touching it", () => {
		const bytes = encodeBody("deal", '{"v": 1.0}', '[ {"id":"ü"} ]');
		expect(new TextDecoder().decode(bytes)).toBe(
			'{"deal":{"v": 1.0},"configuration":[ {"id":"ü"} ]}',
		);
	});
});

describe("buildClaims", () => {
	it("has the required claims, and no others by default", () => {
		expect(
			buildClaims({
				companyUuid: "c",
				userUuid: "u",
				event: "deal_updated",
				nowMs: NOW,
				apiKey: null,
			}),
		).toStrictEqual({
			company_uuid: "c",
			user_uuid: "u",
			event_id: "deal_updated",
			iat: NOW_S,
			exp: NOW_S + 3600,
		});
	});
});

describe("send", () => {
	it("signs and sends one event, bound to its body", async () => {
		const receiver = await listenForTokens(200);
		const { delivered, claims, body } = await send({
			...options,
			url: receiver.url,
			apiKey: "key",
			externalSettings: { authorisation: [{ id: "a", value: "b" }] },
			sequence: 7,
			wire: openWire(),
		});
		expect(delivered).toBe(true);
		const [request] = receiver.requests;
		const { payload } = await jwtVerify(
			request?.token ?? "",
			new TextEncoder().encode(SECRET),
			{ currentDate: new Date(NOW) },
		);
		expect(payload).toStrictEqual(claims);
		expect(payload).toMatchObject({
			event_id: "lead_created",
			api_key: "key",
			external_settings: { authorisation: [{ id: "a", value: "b" }] },
			iat: NOW_S,
			exp: NOW_S + 3600,
			sequence: 7,
			payload_sha256: createHash("sha256")
				.update(request?.body ?? "")
				.digest("base64url"),
		});
		expect(payload.jti).toMatch(/^[0-9a-f-]{36}$/);
		expect(JSON.parse(String(request?.body))).toEqual({ lead, configuration });
		expect(Buffer.from(body)).toEqual(request?.body);
	});

	it("leaves the additive claims out when they are switched off", async () => {
		const receiver = await listenForTokens(200);
		const { claims } = await send({
			...options,
			url: receiver.url,
			jti: false,
			payloadSha256: false,
			tokenLifetimeS: 60,
			wire: openWire(),
		});
		expect(Object.keys(claims)).toEqual([
			"company_uuid",
			"user_uuid",
			"event_id",
			"iat",
			"exp",
		]);
		expect(claims.exp).toBe(NOW_S + 60);
	});

	it("opens and closes connections of its own without a wire", async () => {
		const receiver = await listenForTokens(204);
		const result = await send({
			...options,
			url: receiver.url,
			wireOptions: { allowHttp: true, allowPrivate: true },
		});
		expect(result.failure?.class).toBe("wrong_success");
		const [socket] = receiver.sockets;
		if (socket && !socket.destroyed)
			await new Promise((resolve) => socket.on("close", resolve));
	});

	it("refuses a private address by default", async () => {
		const result = await send({ ...options, url: "https://127.0.0.1/" });
		expect(result.failure?.class).toBe("address_refused");
	});

	it("rejects a blank secret", async () => {
		await expect(send({ ...options, secret: " " })).rejects.toThrow(
			"the signing secret is empty",
		);
	});
});

describe("sendWithRetry", () => {
	const quick = { minDelayMs: 0, maxRetryAfterMs: 1 };

	it("repeats the same delivery until it is taken", async () => {
		const receiver = await listenForTokens(500, 204, 200);
		const failed: unknown[] = [];
		let now = NOW;
		const result = await sendWithRetry(
			{
				...options,
				url: receiver.url,
				wire: openWire(),
				clock: () => {
					now += 1000;
					return now;
				},
			},
			{ ...quick, onFailedAttempt: ({ status }) => failed.push(status) },
		);
		expect(result.delivered).toBe(true);
		expect(failed).toEqual([500, 204]);
		expect(result.attempts.map(({ status }) => status)).toEqual([
			500, 204, 200,
		]);
		const tokens = receiver.requests.map(({ token }) => decodeJwt(token));
		expect(new Set(tokens.map(({ jti }) => jti)).size).toBe(1);
		expect(new Set(tokens.map(({ iat }) => iat)).size).toBe(3);
		expect(new Set(receiver.requests.map(({ body }) => `${body}`)).size).toBe(
			1,
		);
	});

	it("gives up after the last retry, with the last result", async () => {
		const receiver = await listenForTokens(503);
		const result = await sendWithRetry(
			{ ...options, url: receiver.url, wire: openWire() },
			{ ...quick, retries: 2 },
		);
		expect(result).toMatchObject({ delivered: false, status: 503 });
		expect(receiver.requests).toHaveLength(3);
	});

	it("waits for Retry-After within its limit", async () => {
		const receiver = await listenRaw((socket, _connection, chunk) => {
			socket.write(
				chunk === 1
					? "HTTP/1.1 429 Slow\r\nretry-after: 86400\r\ncontent-length: 0\r\n\r\n"
					: "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
			);
		});
		const result = await sendWithRetry(
			{ ...options, url: receiver.url, wire: openWire({ connections: 1 }) },
			quick,
		);
		expect(result.delivered).toBe(true);
		expect(result.attempts[0]?.retryAfterMs).toBe(86_400_000);
	});

	it.each([
		[410, "gone"],
		[0, "address_refused"],
	])(
		"does not repeat what cannot change (%i)",
		async (status, failureClass) => {
			const receiver = await listenForTokens(status || 200);
			const result = await sendWithRetry(
				{
					...options,
					url: receiver.url,
					wire: openWire({ allowPrivate: status !== 0 }),
				},
				quick,
			);
			expect(result.failure?.class).toBe(failureClass);
			expect(result.attempts).toHaveLength(1);
		},
	);

	it("stops when it is aborted", async () => {
		const receiver = await listenForTokens(500);
		const controller = new AbortController();
		const sending = sendWithRetry(
			{ ...options, url: receiver.url, wire: openWire() },
			{
				minDelayMs: 60_000,
				signal: controller.signal,
				onFailedAttempt: () => controller.abort(new Error("stop")),
			},
		);
		await expect(sending).rejects.toThrow("stop");
		expect(receiver.requests).toHaveLength(1);
	});
});
