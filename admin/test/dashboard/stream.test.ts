import { createApp, createDashboard, listen, openService } from "partnerwire";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, keyOptions, openApi } from "#kit/program/api.ts";
import { type SignedIn, signIn } from "#kit/program/dashboard.ts";
import {
	type EventStream,
	openEventStream,
	type StreamedEvent,
} from "#kit/program/event-stream.ts";
import {
	createStreamClient,
	toBytes,
} from "../../src/dashboard/stream/client.ts";
import { createIntegration, createPartner } from "../support/records.ts";

let api: Api;
let full: SignedIn;
let integration: { id: string };
let stream: EventStream;
beforeAll(async () => {
	const dashboard = { everyMs: 5, heartbeatMs: 5 };
	api = await openApi({ dashboard });
	integration = await createIntegration(api);
	full = await signIn(api, api.seeded.keys.full);
	stream = await openEventStream(api.url, full);
});
afterAll(async () => {
	stream.close();
	await api.close();
});

const isOf =
	(event: string, data: object) =>
	(one: StreamedEvent): boolean =>
		one.event === event &&
		Object.entries(data).every(([name, value]) => one.data[name] === value);

test("it is a stream of server-sent events that nobody keeps, and shows that it lives", async () => {
	expect(stream.status).toBe(200);
	expect(stream.headers.get("content-type")).toBe("text/event-stream");
	expect(stream.headers.get("cache-control")).toBe("no-store");
	await expect.poll(stream.text).toMatch(/^retry: 3000\n\n(?:.*\n)*: \n\n/);
});

test("deliveries and integrations are reported as they change, with what the page needs to know which", async () => {
	await createPartner(api);
	const { data } = await stream.until(
		isOf("delivery", { event_id: "partner_created" }),
	);
	expect(Object.keys(data).sort()).toEqual([
		"event_id",
		"integration_id",
		"status",
		"updated_at",
		"uuid",
	]);
	expect([data.integration_id, data.status]).toEqual([
		integration.id,
		"pending",
	]);
	const params = { integration_id: integration.id };
	await api.call("pauseIntegration", { params });
	await stream.until(
		isOf("integration", { id: integration.id, status: "paused" }),
	);
	await api.call("resumeIntegration", { params });
});

test("what another process does is reported too; another company's changes are not", async () => {
	const { clock, database, seeded } = api;
	const other = await openService({ database, clock, ...keyOptions() });
	const caller = await other.core.authenticate(seeded.keys.full);
	const stranger = await api.addCompany();
	await createIntegration(api, {}, { key: stranger.keys.full });
	const theirs = await createPartner(api, {}, { key: stranger.keys.full });
	const body = { label: "Made elsewhere", webhook_url: "https://x.example/" };
	const made = await other.core.execute(
		"createIntegration",
		{ body },
		caller as NonNullable<typeof caller>,
	);
	await stream.until(isOf("integration", { id: made.id }));
	const { body: page } = await api.request(
		"GET",
		`/v1/webhook-events?record_uuid=${theirs.uuid}`,
		{ key: stranger.keys.full },
	);
	expect(page.data).toHaveLength(1);
	expect(stream.text()).not.toContain(page.data[0].uuid);
	await other.close();
});

test("who may not look is refused, before anything is reported", async () => {
	const nobody = await openEventStream(api.url, { cookie: "" });
	expect(nobody.status).toBe(401);
	const foreign = { origin: "https://evil.example" };
	expect((await openEventStream(api.url, full, foreign)).status).toBe(403);
	const writer = await signIn(api, api.seeded.keys.write);
	expect((await openEventStream(api.url, writer)).status).toBe(403);
	const reader = await signIn(api, api.seeded.keys.read);
	const reading = await openEventStream(api.url, reader);
	expect(reading.status).toBe(200);
	reading.close();
});

describe("the stream of a session ends", () => {
	test("when its key is revoked", async () => {
		const body = { label: "Short", read: true, write: false };
		const { body: key } = await api.call("createApiKey", { body });
		const watching = await openEventStream(api.url, await signIn(api, key.key));
		await api.call("revokeApiKey", { params: { uuid: key.uuid } });
		await watching.ended;
	});

	test("when one signs out, and with no other session", async () => {
		const leaving = await signIn(api, api.seeded.keys.full);
		const watching = await openEventStream(api.url, leaving);
		await leaving.request("DELETE", "/_admin/session");
		await watching.ended;
		await createPartner(api, { name: "Still there" });
		const before = stream.text().length;
		await expect.poll(() => stream.text().length).toBeGreaterThan(before);
	});

	test("when the service closes", async () => {
		const dashboard = createDashboard(api.service.core);
		const server = await listen(createApp(api.service.core, { dashboard }), {
			port: 0,
			host: "127.0.0.1",
		});
		const watching = await openEventStream(server.url, full);
		await dashboard.close();
		await watching.ended;
		const late = await openEventStream(server.url, full);
		await late.ended;
		await server.close();
	});
});

test("a session has at most sixteen streams; one that leaves makes room", async () => {
	const crowd = await signIn(api, api.seeded.keys.read);
	const open = () => openEventStream(api.url, crowd);
	const streams: EventStream[] = [];
	for (let count = 0; count < 16; count++) streams.push(await open());
	expect(streams.map(({ status }) => status)).toEqual(Array(16).fill(200));
	expect((await open()).status).toBe(429);
	streams[0]?.close();
	await expect.poll(async () => (await open()).status).toBe(200);
	for (const one of streams) one.close();
});

describe("what waits for a slow client is bounded", () => {
	const decode = async (reader: ReadableStreamDefaultReader<Uint8Array>) =>
		new TextDecoder().decode((await reader.read()).value);
	const message = `event: delivery\ndata: ${"x".repeat(1000)}\n\n`;
	const bytes = toBytes(message);

	test("it is told to look for itself, once, and then goes on", async () => {
		const client = createStreamClient(() => {});
		const reader = client.body.getReader();
		expect(await decode(reader)).toBe("retry: 3000\n\n");
		for (let count = 0; count < 1000; count++) client.send(bytes);
		expect(await decode(reader)).toBe("event: overflow\ndata: {}\n\n");
		client.send(bytes);
		expect(await decode(reader)).toBe(message);
		const waiting = decode(reader);
		client.send(toBytes("event: integration\ndata: {}\n\n"));
		expect(await waiting).toBe("event: integration\ndata: {}\n\n");
	});

	test("one that takes nothing between two heartbeats is cut, once", async () => {
		let gone = 0;
		const client = createStreamClient(() => gone++);
		const reader = client.body.getReader();
		await decode(reader);
		client.send(bytes);
		client.beat();
		expect(gone).toBe(0);
		client.beat();
		client.beat();
		client.end();
		expect(gone).toBe(1);
		await expect(reader.read()).rejects.toThrow("takes nothing");
	});
});
