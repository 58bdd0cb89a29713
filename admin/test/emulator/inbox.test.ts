import { send } from "@partnerwire/dispatcher";
import { EVENT_IDS } from "@partnerwire/wire";
import {
	EmulatorError,
	type EmulatorOptions,
	startEmulator,
} from "partnerwire/emulator";
import { expect, onTestFinished, test, vi } from "vitest";
import { readFixture } from "../../src/assets/fixtures.ts";
import { createInboxEntries } from "../../src/emulator/inbox.ts";
import { openEmulator } from "./support.ts";

test.each(EVENT_IDS)("%s is taken, verified, listed and had", async (event) => {
	const emulator = await openEmulator();
	const { id } = await emulator.connect("crm");
	await emulator.client.testIntegration({
		params: { integration_id: id },
		body: { event_id: event },
	});
	const [entry] = await emulator.inbox.waitFor(1, { event_id: event });
	const { configuration, ...entity } = readFixture(event);
	expect(entry).toMatchObject({
		id: 1,
		name: "crm",
		verified: true,
		outcome: "handled",
		reason: null,
		event_id: event,
		claims: { event_id: event },
		body: { configuration: [] },
	});
	expect(Object.keys(entry?.body as object)).toEqual([
		...Object.keys(entity),
		"configuration",
	]);
	expect(configuration).toBeDefined();
	expect((await emulator.control("GET", "/inbox/1")).body).toEqual(
		JSON.parse(JSON.stringify(entry)),
	);
});

test("what nobody here signed is kept with the reason why it was refused", async () => {
	const emulator = await openEmulator();
	const { id } = await emulator.connect("crm");
	const { integration_uuid: secret } =
		await emulator.client.revealIntegrationSecret({
			params: { integration_id: id },
		});
	const sendWith = (url: string, signed: string) =>
		send({
			url,
			secret: signed,
			event: "lead_created",
			entity: readFixture("lead_created").lead as never,
			configuration: [],
			companyUuid: emulator.companyUuid,
			userUuid: emulator.userUuid,
			clock: emulator.clock.now,
			wireOptions: { allowHttp: true, allowPrivate: true },
		});
	const wrong = "6f1c2b9e-6a51-4d0b-9a53-7f0d5a0c1e11";
	const crm = emulator.inbox.url("crm");
	expect((await sendWith(crm, secret)).status).toBe(200);
	expect((await sendWith(crm, wrong)).status).toBe(401);
	// Another inbox is another receiver: nobody's integration leads to it.
	expect((await sendWith(emulator.inbox.url("erp"), secret)).status).toBe(401);
	expect((await fetch(crm, { method: "POST", body: "hello" })).status).toBe(
		401,
	);
	expect(
		emulator.inbox.list().map(({ verified, reason }) => [verified, reason]),
	).toEqual([
		[true, null],
		[false, "SIGNATURE_INVALID"],
		[false, "SIGNATURE_INVALID"],
		[false, expect.any(String)],
	]);
	expect(emulator.inbox.list({ name: "crm" })).toHaveLength(3);
	expect(emulator.inbox.get(4)?.body).toBe("hello");
	emulator.inbox.clear();
	expect(emulator.inbox.list()).toEqual([]);
});

test("a rotation's old and new secret are both good", async () => {
	const emulator = await openEmulator();
	const { id } = await emulator.connect();
	await emulator.client.rotateIntegrationSecret({
		params: { integration_id: id },
		body: { cutover_at: "2026-11-27T13:00:00Z" },
	});
	await emulator.createLead();
	await emulator.clock.advance("PT2H");
	await emulator.createLead("grace@hopper.example");
	const came = await emulator.inbox.waitFor(2);
	expect(came.map(({ verified }) => verified)).toEqual([true, true]);
});

test("waiting has an end, and says what came", async () => {
	const emulator = await openEmulator();
	await emulator.connect();
	const waiting = emulator.inbox.waitFor(2, { timeoutMs: 10_000 });
	await emulator.createLead();
	await emulator.createLead("grace@hopper.example");
	expect(await waiting).toHaveLength(2);
	await expect(emulator.inbox.waitFor(3, { timeoutMs: 1 })).rejects.toThrow(
		"2 of 3 deliveries came within 1 ms; in the inbox: lead_created handled, lead_created handled",
	);
	const get = async (query: string) =>
		(await emulator.control("GET", `/inbox?${query}`)).body;
	expect(await get("wait=2")).toMatchObject({ complete: true });
	expect(await get("wait=3&timeout_ms=1")).toMatchObject({ complete: false });
	expect((await get("event_id=deal_created")).data).toEqual([]);
	for (const query of ["wait=x", "timeout_ms=600001", "distinct=1", "nam=x"])
		expect((await get(query)).error?.code, query).toBe("validation_error");
	expect((await emulator.control("GET", "/inbox/99")).status).toBe(404);
	expect((await emulator.control("DELETE", "/inbox")).status).toBe(200);
	expect((await get("")).data).toEqual([]);
});

test("closing the emulator ends all waiting, here and over HTTP, and says why", async () => {
	const emulator = await startEmulator();
	const { inbox } = emulator;
	const long = { timeoutMs: 60_000 };
	// Two that nobody awaits: an unhandled rejection would fail the run.
	void inbox.waitFor(1, long);
	void inbox.waitFor(1, { name: "crm", ...long });
	const waiting = inbox.waitFor(2, long).catch((error: Error) => error);
	const overHttp = fetch(
		`${emulator.url}/_emulator/inbox?wait=1&timeout_ms=60000`,
	).catch(() => "no answer");
	await emulator.close();
	expect(await waiting).toEqual(
		new EmulatorError(
			"0 of 2 deliveries came before the emulator was closed; in the inbox: nothing",
		),
	);
	expect(await overHttp).toBe("no answer");
	await expect(inbox.waitFor(1, long)).rejects.toThrow(
		"0 of 1 deliveries came before the emulator was closed",
	);
});

test("closed entries keep no timer", async () => {
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	const entries = createInboxEntries();
	const waits = [entries.wait(1, 60_000), entries.wait(3, 5_000)];
	expect(vi.getTimerCount()).toBe(2);
	entries.close();
	expect(await Promise.all(waits)).toEqual([[], []]);
	expect(await entries.wait(1, 60_000)).toEqual([]);
	expect(vi.getTimerCount()).toBe(0);
});

test("two integrations that lead to one inbox are two senders, and a clock that goes back is no news", async () => {
	const emulator = await openEmulator();
	await emulator.connect("shared");
	await emulator.connect("shared");
	await emulator.createLead();
	await emulator.clock.set("2026-11-27T11:59:59Z");
	await emulator.createLead("grace@hopper.example");
	const came = await emulator.inbox.waitFor(4);
	expect(came.map(({ outcome }) => outcome)).toEqual(Array(4).fill("handled"));
});

test("the oldest go when the inbox has too many bytes", () => {
	const entries = createInboxEntries(100);
	const add = (name: string, bytes: number) =>
		entries.add({ name } as never, bytes);
	const names = () => entries.list().map(({ name }) => name);
	add("a", 60);
	add("b", 40);
	add("c", 1);
	expect(names()).toEqual(["b", "c"]);
	add("d", 101);
	expect(names()).toEqual([]);
	add("e", 100);
	expect(names()).toEqual(["e"]);
});

test("a clock that begins standing still has no rate limit, unless it is asked for", async () => {
	const limitOf = async (options: EmulatorOptions) => {
		const { url, keys } = await openEmulator(options);
		const headers = { authorization: `Bearer ${keys.read}` };
		const answer = await fetch(`${url}/v1/users`, { headers });
		return answer.headers.get("ratelimit-limit");
	};
	expect(await limitOf({})).toBe(null);
	expect(await limitOf({ startAt: undefined })).toBe("500");
	expect(await limitOf({ rateLimit: 7 })).toBe("7");
});
