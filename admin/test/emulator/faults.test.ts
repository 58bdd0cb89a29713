import { performance } from "node:perf_hooks";
import { describe, expect, test } from "vitest";
import { matchesGlob } from "../../src/emulator/faults.ts";
import { type OpenEmulator, openEmulator } from "./support.ts";

const HOOK = "/_emulator/hooks/*";

/** A request to the API as it is, without an SDK that tries again. */
async function ask(
	{ url, keys }: OpenEmulator,
	headers: Record<string, string> = {},
	{ method = "GET", path = "/v1/tags", body = undefined as unknown } = {},
) {
	const response = await fetch(url + path, {
		method,
		headers: {
			authorization: `Bearer ${keys.full}`,
			...(body !== undefined && { "content-type": "application/json" }),
			...headers,
		},
		...(body !== undefined && { body: JSON.stringify(body) }),
	});
	return {
		status: response.status,
		retryAfter: response.headers.get("retry-after"),
		body: await response.json(),
	};
}

const KINDS = [
	["429", 429, "rate_limit_exceeded", "1"],
	["500", 500, "internal_error", null],
	["503", 503, "internal_error", "1"],
] as const;

describe.each(KINDS)("%s", (kind, status, code, retryAfter) => {
	test("by header, once, in the API's envelope", async () => {
		const emulator = await openEmulator();
		const struck = await ask(emulator, { "partnerwire-fault": kind });
		expect([struck.status, struck.body.error.code, struck.retryAfter]).toEqual([
			status,
			code,
			retryAfter,
		]);
		expect((await ask(emulator)).status).toBe(200);
	});

	test("by rule: after so many, so many times, for what matches", async () => {
		const emulator = await openEmulator();
		emulator.faults.add({
			kind,
			operation_id: "listTags",
			after: 1,
			times: 2,
		});
		const statuses: number[] = [];
		for (let i = 0; i < 5; i++) {
			statuses.push((await ask(emulator)).status);
			expect((await ask(emulator, {}, { path: "/v1/tiers" })).status).toBe(200);
		}
		expect(statuses).toEqual([200, status, status, 200, 200]);
		expect(emulator.faults.list()[0]).toMatchObject({ matched: 3, struck: 2 });
	});

	test("instead of the operation, or of its answer", async () => {
		const emulator = await openEmulator();
		const labels = async () =>
			(await emulator.client.listTags()).map(({ label }) => label);
		const create = (label: string, fault: string) =>
			ask(
				emulator,
				{ "partnerwire-fault": fault },
				{ method: "POST", body: { label, type: "lead" } },
			);
		expect((await create("Not run", kind)).status).toBe(status);
		expect((await create("Run", `${kind}; executed`)).status).toBe(status);
		const found = await labels();
		expect([found.includes("Not run"), found.includes("Run")]).toEqual([
			false,
			true,
		]);
	});
});

test("drop closes the connection without an answer, before or after the operation", async () => {
	const emulator = await openEmulator();
	for (const [label, fault] of [
		["Not run", "drop"],
		["Run", "drop; executed"],
	] as const)
		await expect(
			ask(
				emulator,
				{ "partnerwire-fault": fault },
				{ method: "POST", body: { label, type: "lead" } },
			),
		).rejects.toThrow("fetch failed");
	const labels = (await emulator.client.listTags()).map(({ label }) => label);
	expect(labels).toContain("Run");
	expect(labels).not.toContain("Not run");
});

test("slow waits first, and a reset does not wait for it", async () => {
	const emulator = await openEmulator();
	const startedMs = performance.now();
	const { status } = await ask(emulator, {
		"partnerwire-fault": "slow; delay_ms=60",
	});
	expect([status, performance.now() - startedMs >= 59]).toEqual([200, true]);
	const slow = ask(emulator, { "partnerwire-fault": "slow; delay_ms=60000" });
	const isWaiting = async () => (await emulator.control("GET", "")).status;
	expect(await isWaiting()).toBe(200);
	await emulator.reset();
	expect((await slow).status).toBe(200);
});

test.each([
	["boom", "kind"],
	["429; soon", "soon"],
	["slow; delay_ms=x", "delay_ms"],
	["slow; delay_ms=0", "delay_ms"],
	["429; times=2", "times"],
	["duplicate", "kind"],
	["", "kind"],
])("the header %j is a 400 that names what is wrong", async (value, named) => {
	const { status, body } = await ask(await openEmulator(), {
		"partnerwire-fault": value,
	});
	expect(status).toBe(400);
	expect(body.error.message).toContain("Partnerwire-Fault");
	expect(body.error.message).toContain(named);
});

test("over HTTP rules are made, listed and deleted; a wrong one is a 400", async () => {
	const { control, faults } = await openEmulator();
	const made = await control("POST", "/faults", {
		kind: "503",
		method: "GET",
		path: "/v1/*",
		times: null,
	});
	expect([made.status, made.body]).toMatchObject([
		201,
		{ id: 1, kind: "503", times: null, after: 0, matched: 0, struck: 0 },
	]);
	expect((await control("GET", "/faults")).body.data).toHaveLength(1);
	expect((await control("DELETE", "/faults/1")).status).toBe(200);
	expect((await control("DELETE", "/faults/1")).status).toBe(404);
	expect((await control("DELETE", "/faults/x")).status).toBe(404);
	for (const wrong of [
		{},
		{ kind: "418" },
		{ kind: "500", path: "v1" },
		{ kind: "500", operation_id: "listTag" },
		{ kind: "500", times: 0 },
		{ kind: "500", event_id: "lead_created" },
		{ kind: "duplicate", path: "/v1/*" },
		{ kind: "reorder", event_id: "lead_moved" },
	])
		expect([wrong, (await control("POST", "/faults", wrong)).status]).toEqual([
			wrong,
			400,
		]);
	expect(() => faults.add({ kind: "500", path: "v1" })).toThrow("fault/path");
	expect(faults.list()).toEqual([]);
	await control("POST", "/faults", { kind: "500" });
	expect((await control("DELETE", "/faults")).status).toBe(200);
	expect(faults.list()).toEqual([]);
});

test.each([
	["/v1/leads", "/v1/leads", true],
	["/v1/leads", "/v1/leads/1", false],
	["/v1/*", "/v1/leads/1", true],
	["*/notes", "/v1/leads/1/notes", true],
	["/v1/*/notes", "/v1/leads/1/notes", true],
	["/v1/*/notes/*", "/v1/leads/1/notes", false],
	["*", "", true],
	["a*a", "a", false],
	["a*a", "aa", true],
	["*b*b*", "ab", false],
	["*b*b*", "abcb", true],
])("the path %s and %s: %s", (pattern, text, expected) => {
	expect(matchesGlob(pattern, text)).toBe(expected);
});

describe("deliveries", () => {
	test("a forced duplicate is the same delivery twice, of this event alone", async () => {
		const emulator = await openEmulator();
		await emulator.connect();
		emulator.faults.add({ kind: "duplicate", event_id: "lead_updated" });
		const { uuid } = await emulator.createLead();
		await emulator.client.updateLead({
			params: { uuid },
			body: { first_name: "Ada" },
		});
		const came = await emulator.inbox.waitFor(3);
		expect(came.map((each) => [each.event_id, each.outcome])).toEqual([
			["lead_created", "handled"],
			["lead_updated", "handled"],
			["lead_updated", "duplicate"],
		]);
		expect(came[2]?.delivery_uuid).toBe(came[1]?.delivery_uuid);
		expect(emulator.inbox.list({ distinct: true })).toHaveLength(2);
		await emulator.clock.advance(0);
		const [event] = (await emulator.client.listWebhookEvents()).data;
		expect(event).toMatchObject({ status: "delivered", attempt_count: 1 });
	});

	test("a forced reorder lets the next one pass, even of the same record", async () => {
		const emulator = await openEmulator();
		await emulator.connect();
		emulator.faults.add({ kind: "reorder", delay_ms: 60_000 });
		const { uuid } = await emulator.createLead();
		await emulator.client.updateLead({
			params: { uuid },
			body: { first_name: "Ada" },
		});
		const came = await emulator.inbox.waitFor(2);
		expect(came.map((each) => [each.sequence, each.stale])).toEqual([
			[2, false],
			[1, true],
		]);
		expect(came.every(({ verified }) => verified)).toBe(true);
	});

	test("an overtaken one is tried again by the schedule, until it arrives or is lost", async () => {
		const emulator = await openEmulator({ retrySchedule: [0, 60, 60] });
		await emulator.connect();
		const overtake = async (times: number, email: string) => {
			const fault = emulator.faults.add({ kind: "reorder", delay_ms: 60_000 });
			await emulator.createLead(email);
			expect(
				(await emulator.control("POST", "/clock/advance", { by: 0 })).body,
			).toMatchObject({ settled: false });
			// The next one gets through, and what was overtaken fails.
			emulator.faults.add({ kind: "500", path: HOOK, after: 1, times });
			await emulator.createLead(`next.${email}`);
			await emulator.clock.advance(0);
			const before = emulator.inbox.list().length;
			await emulator.clock.advance("PT2M");
			return [emulator.inbox.list().length - before, fault.lost];
		};
		expect(await overtake(2, "ada@lovelace.example")).toEqual([1, 0]);
		expect(await overtake(3, "grace@hopper.example")).toEqual([0, 1]);
	});

	test("without a next one it goes after its delay; a reset forgets it", async () => {
		const emulator = await openEmulator();
		await emulator.connect();
		emulator.faults.add({ kind: "reorder", delay_ms: 1, times: 1 });
		await emulator.createLead();
		expect(await emulator.inbox.waitFor(1)).toHaveLength(1);
		emulator.faults.add({ kind: "reorder", delay_ms: 60_000, times: 1 });
		await emulator.createLead("grace@hopper.example");
		await emulator.clock.advance(0);
		await emulator.reset();
		expect(emulator.inbox.list()).toEqual([]);
	});

	test.each(["429", "500", "503", "drop"] as const)(
		"%s at the inbox is retried, and arrives",
		async (kind) => {
			const emulator = await openEmulator();
			await emulator.connect();
			emulator.faults.add({ kind, path: HOOK, times: 2 });
			await emulator.createLead();
			await emulator.clock.advance("PT10M");
			await emulator.inbox.waitFor(1);
			const [event] = (await emulator.client.listWebhookEvents()).data;
			expect(event).toMatchObject({ status: "delivered", attempt_count: 3 });
		},
	);
});
