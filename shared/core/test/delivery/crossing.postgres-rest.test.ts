import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hold, waitForBlocked } from "#kit/database/holding.ts";
import {
	addIntegration,
	addPartner,
	openTestCore,
	rowsOf,
	type TestCore,
} from "#kit/database/open-core.ts";
import { openQueue, toOutcome } from "#kit/database/queue.ts";
import { toReason } from "#kit/to-reason.ts";
import { type Caller, recordAttempts, runReplays } from "../../src/index.ts";

/** Two processes on one database. */
let one: TestCore;
let two: TestCore;
let partnership_uuid: string;
let integration_id: string;
beforeEach(async () => {
	const key = randomBytes(32);
	one = await openTestCore({ key });
	two = await openTestCore({ key, path: one.path });
	partnership_uuid = await addPartner(one, one.caller);
	const integration = await addIntegration(one, one.caller, {
		event_ids: ["lead_created"],
	});
	integration_id = integration.id;
});
afterEach(async () => {
	await two.close();
	await one.close();
});

/** The locks that make both wait: the company's advisory lock, or the row of its integration. */
const holdCompany = () =>
	hold(
		one.path,
		`select pg_advisory_xact_lock(('x' || left(encode(sha256('${one.caller.companyUuid}'), 'hex'), 16))::bit(64)::bigint)`,
	);
const holdIntegration = () =>
	hold(one.path, "select id from integration for update");
const HOLDS = { company: holdCompany, integration: holdIntegration };

/** Begins both in this order, each on a process of its own, and releases the lock when both wait. */
async function cross<First, Second>(
	what: keyof typeof HOLDS,
	first: () => Promise<First>,
	second: () => Promise<Second>,
): Promise<[PromiseSettledResult<First>, PromiseSettledResult<Second>]> {
	const held = await HOLDS[what]();
	const begun = first();
	await waitForBlocked(one.path, 1);
	const both = Promise.allSettled([begun, second()]);
	await waitForBlocked(one.path, 2);
	await held.release();
	return both;
}

const addLead = (core: TestCore, caller: Caller) =>
	core.execute("createLead", { body: { partnership_uuid } }, caller);

describe("a key that is revoked while a request of it waits", () => {
	/** Adds a key of the same company. Answers it as a caller, and a function that revokes it. */
	async function addKey() {
		const body = { label: "Other", read: true, write: true };
		const { uuid } = await one.execute("createApiKey", { body }, one.caller);
		const caller = { ...one.caller, apiKeyUuid: uuid };
		const revoke = () =>
			one.execute("revokeApiKey", { params: { uuid } }, one.caller);
		return { caller, revoke };
	}
	const REQUESTS: [what: string, run: (caller: Caller) => Promise<unknown>][] =
		[
			["createLead", (caller) => addLead(two, caller)],
			["createIntegration", (caller) => addIntegration(two, caller)],
			[
				"testIntegration",
				(caller) =>
					two.execute(
						"testIntegration",
						{ params: { integration_id }, body: { event_id: "lead_created" } },
						caller,
					),
			],
			[
				"deleteIntegration",
				(caller) =>
					two.execute(
						"deleteIntegration",
						{ params: { integration_id } },
						caller,
					),
			],
		];

	test.each(REQUESTS)(
		"%s is refused and leaves nothing when the revocation was first",
		async (_, run) => {
			const { caller, revoke } = await addKey();
			const before = await rowsOf(one, "audit");
			const [revoked, request] = await cross("company", revoke, () =>
				run(caller),
			);
			expect(revoked.status).toBe("fulfilled");
			expect(request).toMatchObject({ reason: { code: "unauthorized" } });
			const after = await rowsOf(one, "audit");
			expect(after.length - before.length, "the revocation's own entry").toBe(
				1,
			);
			expect(await rowsOf(one, "lead")).toEqual([]);
			expect(await rowsOf(one, "integration")).toHaveLength(1);
		},
	);

	test("a request that was first is answered, and the next one is refused", async () => {
		const { caller, revoke } = await addKey();
		const both = await cross("company", () => addLead(two, caller), revoke);
		expect(both.map(({ status }) => status)).toEqual([
			"fulfilled",
			"fulfilled",
		]);
		expect(await toReason(addLead(two, caller))).toMatch(/not valid/);
		expect(await rowsOf(one, "lead")).toHaveLength(1);
	});
});

describe("what an integration receives that changes while a record does", () => {
	const subscription = async () => {
		const { data } = await one.execute(
			"listEventSubscriptions",
			{},
			one.caller,
		);
		return { uuid: data[0]?.uuid ?? "" };
	};
	const CHANGES: [
		what: string,
		run: (params: { uuid: string }) => Promise<unknown>,
	][] = [
		[
			"event_ids",
			() =>
				one.execute(
					"updateIntegration",
					{ params: { integration_id }, body: { event_ids: [] } },
					one.caller,
				),
		],
		[
			"an inactive subscription",
			(params) =>
				one.execute(
					"updateEventSubscription",
					{ params, body: { active: false } },
					one.caller,
				),
		],
		[
			"a deleted subscription",
			(params) =>
				one.execute("deleteEventSubscription", { params }, one.caller),
		],
		[
			"a deleted integration",
			() =>
				one.execute(
					"deleteIntegration",
					{ params: { integration_id }, query: { force: true } },
					one.caller,
				),
		],
	];

	describe.each(CHANGES)("%s", (_, change) => {
		test.each(["company", "integration"] as const)(
			"the order in which they take their turn decides, whoever holds the %s",
			async (what) => {
				const params = await subscription();
				const lead = () => addLead(two, one.caller);
				const first = await cross(what, lead, () => change(params));
				expect(first.map(({ status }) => status)).toEqual([
					"fulfilled",
					"fulfilled",
				]);
				expect(await rowsOf(one, "delivery")).toHaveLength(1);
				expect((await rowsOf(one, "integration"))[0]?.sequence).toBe(1);
				await addLead(two, one.caller);
				expect(await rowsOf(one, "delivery")).toHaveLength(1);
			},
		);

		test("a change that was first leaves nothing to deliver", async () => {
			const params = await subscription();
			const both = await cross(
				"integration",
				() => change(params),
				() => addLead(two, one.caller),
			);
			expect(both.map(({ status }) => status)).toEqual([
				"fulfilled",
				"fulfilled",
			]);
			expect(await rowsOf(one, "lead")).toHaveLength(1);
			expect(await rowsOf(one, "delivery")).toEqual([]);
			expect((await rowsOf(one, "integration"))[0]?.sequence).toBe(0);
		});
	});
});

test("a replay that is cancelled while it gives deliveries back, and while they are claimed: what it counts is what goes", async () => {
	const queue = await openQueue();
	const { store, clock, caller, path } = queue;
	for (let count = 0; count < 120; count++) await queue.addLead();
	const all = await queue.claim({ limit: 200 });
	await recordAttempts(
		store,
		all.map((delivery) => toOutcome(delivery, "failed")),
		clock(),
	);
	const { uuid } = await queue.execute(
		"createWebhookReplay",
		{
			body: { integration_id: queue.integrationId, rate_per_second: 30 },
		},
		caller,
	);
	// Not time enough for all deliveries, however many steps it makes before the cancellation.
	clock.advance(10_000);
	const held = await hold(path, "select id from integration for update");
	const running = runReplays(store, clock());
	await waitForBlocked(path, 1);
	const cancelling = queue.execute(
		"cancelWebhookReplay",
		{ params: { uuid: uuid ?? "" } },
		caller,
	);
	await waitForBlocked(path, 2);
	expect(await queue.claim(), "the integration is held").toEqual([]);
	await held.release();
	const [replayed, cancelled] = await Promise.all([running, cancelling]);
	expect(replayed).toBeGreaterThan(0);
	expect(cancelled.counts.replayed).toBe(replayed);
	expect(cancelled.status).toBe("cancelled");
	clock.advance(60_000);
	expect(await runReplays(store, clock())).toBe(0);
	expect(await queue.claim({ limit: 200 })).toHaveLength(replayed);
	const { data } = await queue.execute("getWebhookLedger", {}, caller);
	expect(data).toMatchObject([{ balanced: true, delivering: replayed }]);
	await queue.close();
});
