import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { sendRaw } from "../../support/raw-http.ts";
import { countRows } from "../../support/row-counts.ts";

const LIMIT = 1024 * 1024;

let api: Api;
beforeAll(async () => {
	api = await openApi();
});
afterAll(() => api.close());

const head = (more: string) =>
	[
		"POST /v1/partners HTTP/1.1",
		"Host: localhost",
		`Authorization: Bearer ${api.seeded.keys.full}`,
		"Content-Type: application/json",
		more,
		"",
		"",
	].join("\r\n");

const start = '{"name":"Globex","partner_type":"referral","filler":"';
const bodyOf = (bytes: number) =>
	`${start}${"x".repeat(bytes - start.length - 2)}"}`;
const hasAnswer = (received: string) =>
	received.includes('"}}') || received.includes("]}}");

async function expectTooLarge(answer: string, before: object) {
	expect(answer).toMatch(/^HTTP\/1\.1 400 /);
	expect(answer).toMatch(/content-type: application\/json/i);
	expect(answer).toContain('"code":"validation_error"');
	expect(answer).toContain("1048576 bytes");
	expect(await countRows(api)).toEqual(before);
	// The service is well: the next request, on a new connection, is answered.
	const { status } = await api.request("GET", "/v1/partners", {
		headers: { connection: "close" },
	});
	expect(status).toBe(200);
}

test("a body of exactly 1 MiB is taken", async () => {
	const { status } = await api.request("POST", "/v1/partners", {
		body: bodyOf(LIMIT),
	});
	expect(status).toBe(201);
});

test("a body that declares more than 1 MiB is a 400 in the envelope, before it is sent", async () => {
	const before = await countRows(api);
	const answer = await sendRaw(
		api.url,
		(send) => send(head(`Content-Length: ${LIMIT + 1}`)),
		hasAnswer,
	);
	await expectTooLarge(answer, before);
});

test("a declared body that comes whole is a 400 too", async () => {
	const before = await countRows(api);
	const { status } = await api.request("POST", "/v1/partners", {
		body: bodyOf(LIMIT + 1),
	});
	expect(status).toBe(400);
	expect(await countRows(api)).toEqual(before);
});

test("a chunked body that grows beyond 1 MiB is a 400 in the envelope", async () => {
	const before = await countRows(api);
	const chunk = "x".repeat(64 * 1024);
	const answer = await sendRaw(
		api.url,
		(send) => {
			send(head("Transfer-Encoding: chunked"));
			for (let sent = 0; sent < 20; sent++)
				send(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
			send("0\r\n\r\n");
		},
		hasAnswer,
	);
	await expectTooLarge(answer, before);
});

test("a body that is cut off leaves nothing behind", async () => {
	const before = await countRows(api);
	const answer = await sendRaw(api.url, (send, end) => {
		send(head("Content-Length: 1000"));
		send('{"name":"Glo');
		end();
	});
	expect(answer).toMatch(/^(HTTP\/1\.1 400 |$)/);
	expect(await countRows(api)).toEqual(before);
});
