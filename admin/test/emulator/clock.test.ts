import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createEmulatorClock } from "../../src/emulator/clock.ts";
import { parseDuration } from "../../src/emulator/duration.ts";
import { openEmulator, START } from "./support.ts";

const HOOK = "/_emulator/hooks/*";
const at = (ms: number) => new Date(Date.parse(START) + ms).toISOString();

describe("durations", () => {
	test.each([
		[0, 0],
		[1500, 1500],
		["1500", 1500],
		["PT5S", 5000],
		["PT0.25S", 250],
		["PT5M", 300_000],
		["PT1H30M", 5_400_000],
		["P1D", 86_400_000],
		["P1DT1S", 86_401_000],
		["P2W", 1_209_600_000],
	])("%s is %d ms", (given, ms) => {
		expect(parseDuration(given)).toBe(ms);
	});

	test.each([
		...["", "P", "PT", "P1DT", "5M", "PT5", "P1M", "P1Y", "-PT5M", "PT-5M"],
		...["pt5m", " PT5M", "PT5M ", "1e3", "0x10", "1.5", -1, 1.5],
		...[Number.NaN, Number.POSITIVE_INFINITY, null, undefined, {}],
	])("%j is none", (given) => {
		expect(parseDuration(given)).toBe(undefined);
	});
});

test("the clock runs, stands still, jumps and begins anew", () => {
	let systemMs = Date.parse(START);
	const clock = createEmulatorClock(undefined, () => systemMs);
	systemMs += 1000;
	expect(clock.state()).toEqual({ now: at(1000), mode: "running" });
	clock.set(Date.parse(at(60_000)));
	systemMs += 1000;
	expect(clock.state().now).toBe(at(61_000));
	clock.freeze();
	systemMs += 1000;
	expect(clock.state()).toEqual({ now: at(61_000), mode: "frozen" });
	clock.set(Date.parse(at(5000)));
	systemMs += 1000;
	expect(clock.state()).toEqual({ now: at(5000), mode: "frozen" });
	clock.resume();
	systemMs += 1000;
	expect(clock.state()).toEqual({ now: at(6000), mode: "running" });
	clock.reset();
	expect(clock()).toBe(systemMs);
	for (const wrong of [Number.NaN, -1, 8.64e15, Number.POSITIVE_INFINITY])
		expect(() => clock.set(wrong)).toThrow("from 1971 to 8999");
});

describe("follows the clock", () => {
	test("every retry of the schedule, at its time, and then the end", async () => {
		const emulator = await openEmulator();
		await emulator.connect();
		emulator.faults.add({ kind: "500", path: HOOK, times: null });
		await emulator.createLead();
		await emulator.clock.advance("P4D");
		const [event] = (await emulator.client.listWebhookEvents()).data;
		const detail = await emulator.client.getWebhookEvent({
			params: { uuid: event?.uuid as string },
		});
		expect(detail.status).toBe("failed");
		const started = detail.attempts.map(({ started_at }) => started_at);
		const hours = [2, 5, 10, 14, 20, 24].map((h) => h * 3600);
		const delays = [0, 5, 300, 1800, ...hours];
		const sums = delays.map((_, index) =>
			delays.slice(0, index + 1).reduce((sum, s) => sum + s * 1000, 0),
		);
		expect(started.sort()).toEqual(sums.map(at));
		expect(emulator.clock.state().now).toBe(at(4 * 86_400_000));
	});

	test("a rate window", async () => {
		const { clock, url, keys } = await openEmulator({ rateLimit: 2 });
		const ask = async () => {
			const headers = { authorization: `Bearer ${keys.read}` };
			return (await fetch(`${url}/v1/users`, { headers })).status;
		};
		expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429]);
		await clock.advance("PT59S");
		expect(await ask()).toBe(429);
		await clock.advance("PT1S");
		expect(await ask()).toBe(200);
	});

	test("what an Idempotency-Key replays", async () => {
		const emulator = await openEmulator();
		const { client, clock } = emulator;
		const create = () =>
			client.createTag(
				{ body: { label: "Tag", type: "lead" } },
				{ idempotencyKey: "the-same" },
			);
		const first = await create();
		await clock.advance("P1D");
		expect(await create()).toEqual(first);
		await clock.advance("PT1S");
		await expect(create()).rejects.toMatchObject({ status: 409 });
	});

	test("a session of the dashboard", async () => {
		const { url, keys, clock } = await openEmulator();
		const signIn = await fetch(`${url}/_admin/session`, {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: JSON.stringify({ api_key: keys.full }),
		});
		const cookie = signIn.headers.getSetCookie()[0]?.split(";")[0] as string;
		const show = async () =>
			(await fetch(`${url}/_admin/session`, { headers: { cookie } })).status;
		await clock.advance("PT11H59M");
		expect(await show()).toBe(200);
		await clock.advance("PT1M");
		expect(await show()).toBe(401);
	});

	test("a period of a report", async () => {
		const emulator = await openEmulator();
		await emulator.createLead();
		const leads = async () => {
			const timeline = await emulator.client.getLeadsTimeline({
				query: { period: "current_month" },
			});
			return timeline.leads_count;
		};
		expect(await leads()).toBe(1);
		await emulator.clock.set("2026-12-02T00:00:00Z");
		expect(await leads()).toBe(0);
	});

	test("the retention of deliveries", async () => {
		const emulator = await openEmulator();
		await emulator.connect();
		await emulator.createLead();
		await emulator.inbox.waitFor(1);
		await emulator.clock.advance("P29D");
		const count = async () =>
			(await emulator.client.listWebhookEvents()).pagination.total;
		expect(await count()).toBe(1);
		await emulator.clock.advance("P2D");
		expect(await count()).toBe(0);
	});

	test("a lane that no longer waits for a failing head", async () => {
		const emulator = await openEmulator();
		await emulator.connect();
		emulator.faults.add({ kind: "500", path: HOOK, times: 3 });
		const lead = await emulator.createLead();
		await emulator.client.updateLead({
			params: { uuid: lead.uuid },
			body: { first_name: "Ada" },
		});
		await emulator.clock.advance("PT31M");
		const [first] = await emulator.inbox.waitFor(1);
		expect(first?.event_id).toBe("lead_updated");
	});
});

test("over HTTP it is frozen, set, advanced and resumed, and says what it cannot read", async () => {
	const emulator = await openEmulator({ startAt: undefined });
	const { control } = emulator;
	expect((await control("GET", "/clock")).body.mode).toBe("running");
	const frozen = await control("POST", "/clock/freeze", { at: START });
	expect(frozen.body).toEqual({ now: START, mode: "frozen", settled: true });
	await wait(20);
	expect((await control("GET", "/clock")).body.now).toBe(START);
	for (const by of ["PT5M", 300_000])
		expect((await control("POST", "/clock/advance", { by })).status).toBe(200);
	expect((await control("GET", "/clock")).body.now).toBe(at(600_000));
	await control("POST", "/clock/set", { at: "2027-01-01T00:00:00+01:00" });
	expect(emulator.clock.state().now).toBe("2026-12-31T23:00:00.000Z");
	expect((await control("POST", "/clock/resume")).body.mode).toBe("running");
	for (const [path, body, said] of [
		["/clock/advance", {}, "body/by"],
		["/clock/advance", { by: "P1M" }, "ISO 8601 duration of weeks"],
		["/clock/advance", { by: "PT1M", to: 1 }, "to"],
		["/clock/set", { at: "tomorrow" }, "body/at: must be an ISO 8601"],
		["/clock/set", "[", "is not valid JSON"],
		["/clock/freeze", { at: 5 }, "body/at"],
	] as const) {
		const { status, body: answer } = await control("POST", path, body);
		expect([status, answer.error.message]).toEqual([
			400,
			expect.stringContaining(said),
		]);
	}
	await expect(emulator.clock.advance("soon")).rejects.toThrow("not soon");
	await expect(emulator.clock.set("soon")).rejects.toThrow("not a time");
});

describe("one thing after the other", () => {
	test("two advances at once add up, and a change of the clock waits for them", async () => {
		const { clock } = await openEmulator();
		const [, , last] = await Promise.all([
			clock.advance("PT1M"),
			clock.advance("PT2M"),
			clock.advance("PT3M"),
		]);
		expect(last.now).toBe(at(360_000));
		await Promise.all([clock.advance("P1D"), clock.set(START)]);
		expect(clock.state().now).toBe(START);
	});

	test("a reset ends an advance under way and those that wait, which say so", async () => {
		const emulator = await openEmulator();
		await emulator.connect();
		emulator.faults.add({ kind: "slow", path: HOOK, delay_ms: 60_000 });
		await emulator.createLead();
		const moving = Promise.allSettled([
			emulator.clock.advance("P1D"),
			emulator.clock.set(START),
		]);
		await emulator.reset();
		for (const each of await moving)
			expect(each).toMatchObject({
				reason: { message: expect.stringContaining("a reset, or the end") },
			});
		expect(emulator.clock.state().now).toBe(START);
		await emulator.clock.advance(1000);
		expect(emulator.clock.state().now).toBe(at(1000));
	});

	test("an end that is no time of the emulator's is refused before the first step", async () => {
		const emulator = await openEmulator();
		await emulator.connect();
		emulator.faults.add({ kind: "500", path: HOOK, times: null });
		await emulator.createLead();
		await emulator.clock.advance(0);
		await expect(
			emulator.clock.advance(Number.MAX_SAFE_INTEGER),
		).rejects.toThrow("from 1971 to 8999");
		expect(emulator.clock.state().now).toBe(START);
		await expect(openEmulator({ startAt: 0 })).rejects.toThrow("1971 to 8999");
	});
});

describe("nobody holds the others up", () => {
	test("what is bound by its rate goes at its rate, and another's retries at their times", async () => {
		const emulator = await openEmulator();
		const { client, inbox } = emulator;
		await client.createIntegration({
			body: {
				label: "Bound",
				webhook_url: inbox.url("bound"),
				max_per_second: 1,
			},
		});
		await emulator.connect("crm");
		emulator.faults.add({
			kind: "500",
			path: "/_emulator/hooks/crm",
			times: 2,
		});
		for (let i = 0; i < 4; i++)
			await emulator.createLead(`ada${i}@lovelace.example`);
		const bound = () => inbox.list({ name: "bound" });
		const body = { at: START };
		const early = await emulator.control("POST", "/clock/set", body);
		expect([early.body.settled, bound().length]).toEqual([false, 1]);
		const done = await emulator.control("POST", "/clock/advance", {
			by: "PT10S",
		});
		expect(done.body.settled).toBe(true);
		expect(bound().map(({ received_at }) => received_at)).toEqual(
			[0, 1000, 2000, 3000].map(at),
		);
		const retried = inbox.list({ name: "crm" }).slice(-2);
		expect(retried.map(({ received_at }) => received_at)).toEqual(
			[5000, 5000].map(at),
		);
	});

	test("a failing head is let past at its time, which is a stop", async () => {
		const emulator = await openEmulator();
		await emulator.connect();
		emulator.faults.add({ kind: "500", path: HOOK, times: 3 });
		const lead = await emulator.createLead();
		await emulator.client.updateLead({
			params: { uuid: lead.uuid },
			body: { first_name: "Ada" },
		});
		await emulator.clock.advance("PT35M");
		const [first] = emulator.inbox.list();
		expect([first?.event_id, first?.received_at]).toEqual([
			"lead_updated",
			at(1_800_000),
		]);
	});
});
