import {
	createReceiver,
	type EventContext,
	type Observation,
} from "@partnerwire/receiver";
import {
	createTestClock,
	signedRequest,
	TEST_SECRET,
} from "@partnerwire/receiver/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { NOW_MS } from "#kit/endpoints/tokens.ts";

const clock = createTestClock(NOW_MS);
const setting = (field: string) => [
	{
		id: "lead_integration_settings",
		selected: [{ id: "unique_field_lead", value: field }],
	},
];

async function handle(
	body: object,
	claims: object = {},
	eventId = "lead_created",
) {
	const contexts: EventContext[] = [];
	const seen: Observation[] = [];
	const receiver = createReceiver({
		secret: TEST_SECRET,
		clock: clock.now,
		onVerdict: (observation) => seen.push(observation),
	}).on("*", (context) => contexts.push(context));
	const response = await receiver.fetch(
		await signedRequest({
			eventId,
			body,
			claims: { ...claims },
			clock: clock.now,
		}),
	);
	expect(response.status).toBe(200);
	return { context: contexts[0] as EventContext, seen: seen[0] as Observation };
}

describe("uniqueKey", () => {
	const lead = {
		uuid: "u",
		company_name: "c",
		email: "a@b.c",
		score: 0,
		vip: false,
		gone: null,
		empty: "",
		deep: {},
	};

	test.each<[string, unknown]>([
		["email", { field: "email", value: "a@b.c" }],
		["score", { field: "score", value: 0 }],
		["vip", { field: "vip", value: false }],
		["gone", undefined],
		["empty", undefined],
		["deep", undefined],
		["absent", undefined],
		["constructor", undefined],
		["", undefined],
	])("%s", async (field, expected) => {
		const { context } = await handle({ lead, configuration: setting(field) });
		expect(context.uniqueKey).toEqual(expected);
	});

	test("is undefined when it is not set, and for other events", async () => {
		expect(
			(await handle({ lead, configuration: [] })).context.uniqueKey,
		).toBeUndefined();
		const body = {
			deal: { uuid: "u", label: "l", email: "x" },
			configuration: setting("email"),
		};
		const { context } = await handle(body, {}, "deal_created");
		expect(context.uniqueKey).toBeUndefined();
	});
});

describe("what a handler gets", () => {
	test("destructures, with everything that the claims hold", async () => {
		const external_settings = {
			authorisation: [{ id: "token", value: "v" }, { id: "odd" }],
		};
		const { context, seen } = await handle(
			{
				lead: { uuid: "u", company_name: "c", email: null },
				configuration: setting("email"),
			},
			{ external_settings, api_key: "key-1", sequence: 7, jti: "j" },
		);
		const {
			config,
			authorisation,
			sequence,
			eventId,
			bodyBound,
			issues,
			dedup,
			claims,
		} = context;
		expect(config("lead_integration_settings")?.get("unique_field_lead")).toBe(
			"email",
		);
		expect(config("other")).toBeUndefined();
		expect([
			authorisation("token"),
			authorisation("odd"),
			authorisation("x"),
		]).toEqual(["v", undefined, undefined]);
		expect({ sequence, eventId, bodyBound, issues, dedup }).toEqual({
			sequence: 7,
			eventId: "lead_created",
			bodyBound: true,
			issues: [],
			dedup: "claimed",
		});
		expect(claims.api_key).toBe("key-1");
		expect(seen).toMatchObject({
			status: 200,
			outcome: "handled",
			eventId: "lead_created",
			jti: "j",
			sequence: 7,
			entity: { key: "lead", uuid: "u" },
			claims: {
				api_key: "***",
				external_settings: {
					authorisation: [
						{ id: "token", value: "***" },
						{ id: "odd", value: "***" },
					],
				},
			},
		});
		expect(JSON.stringify(seen)).not.toMatch(/key-1|"v"/);
	});

	test("a signal first looked at after the deadline is aborted", async () => {
		vi.useFakeTimers();
		let late: AbortSignal | undefined;
		const receiver = createReceiver({
			secret: TEST_SECRET,
			clock: clock.now,
			log: () => {},
		}).on("Lead", async (context) => {
			await new Promise((resolve) => setTimeout(resolve, 9_500));
			late = context.signal;
		});
		const answer = receiver.fetch(await signedRequest({ clock: clock.now }));
		await vi.advanceTimersByTimeAsync(8_999);
		expect(late).toBeUndefined();
		await vi.advanceTimersByTimeAsync(1);
		expect((await answer).status).toBe(503);
		await vi.advanceTimersByTimeAsync(500);
		expect(late?.aborted).toBe(true);
	});
});

describe("the observers", () => {
	test("what they throw changes nothing", async () => {
		const log: string[] = [];
		const errors: unknown[] = [];
		const receiver = createReceiver({
			secret: TEST_SECRET,
			clock: clock.now,
			log: (message) => log.push(message),
			onError: (error) => errors.push(error),
			onVerdict: () => {
				throw new Error("hunter2");
			},
			onUnhandled: () => {
				throw new Error("hunter2");
			},
		});
		const answer = await receiver.fetch(
			await signedRequest({ clock: clock.now }),
		);
		expect(answer.status).toBe(200);
		expect(log.length).toBe(2);
		expect(errors.length).toBe(2);
		expect(log.join()).not.toContain("hunter2");
	});
});

describe("F09 the default limits, on fake timers", () => {
	const never = () => new Promise<never>(() => {});

	test("a claim that hangs costs 500 ms; what it claims late is settled", async () => {
		vi.useFakeTimers();
		let answerClaim: (result: object) => void = () => {};
		const commit = vi.fn(() => true);
		const receiver = createReceiver({
			secret: TEST_SECRET,
			clock: clock.now,
			log: () => {},
			dedup: {
				claim: () =>
					new Promise((resolve) => {
						answerClaim = resolve as typeof answerClaim;
					}),
				commit,
				release: never,
				forget: never,
			},
		}).on("Lead", () => {});
		let status = 0;
		const answer = receiver
			.fetch(await signedRequest({ clock: clock.now }))
			.then((response) => {
				status = response.status;
			});
		await vi.advanceTimersByTimeAsync(499);
		expect(status).toBe(0);
		await vi.advanceTimersByTimeAsync(1);
		await answer;
		expect(status).toBe(200);
		const ticket = { fingerprint: "f", deliveryId: null, fence: "1" };
		answerClaim({ state: "claimed", ticket, conflict: false, stale: false });
		await vi.advanceTimersByTimeAsync(0);
		expect(commit).toHaveBeenCalledWith(ticket, 30 * 60 * 60 * 1000);
	});

	test("claim and commit together cost no more", async () => {
		vi.useFakeTimers();
		const receiver = createReceiver({
			secret: TEST_SECRET,
			clock: clock.now,
			log: () => {},
			dedup: {
				claim: (request) =>
					new Promise((resolve) => {
						const ticket = {
							fingerprint: request.fingerprint,
							deliveryId: null,
							fence: "1",
						};
						setTimeout(resolve, 400, {
							state: "claimed",
							ticket,
							conflict: false,
							stale: false,
						});
					}),
				commit: never,
				release: never,
				forget: never,
			},
		}).on("Lead", () => {});
		let status = 0;
		const answer = receiver
			.fetch(await signedRequest({ clock: clock.now }))
			.then((response) => {
				status = response.status;
			});
		await vi.advanceTimersByTimeAsync(499);
		expect(status).toBe(0);
		await vi.advanceTimersByTimeAsync(1);
		await answer;
		expect(status).toBe(200);
	});
});

beforeEach(() => clock.set(NOW_MS));
afterEach(() => vi.useRealTimers());
