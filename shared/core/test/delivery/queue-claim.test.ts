// Claiming from the queue: lanes, leases and pauses.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { addIntegration, rowsOf } from "#kit/database/open-core.ts";
import {
	openQueue,
	sequencesOf,
	type TestQueue,
	toOutcome,
} from "#kit/database/queue.ts";
import {
	claimDue,
	reclaimExpired,
	recordAttempts,
	returnClaimed,
	type Store,
} from "../../src/index.ts";

let queue: TestQueue;
beforeEach(async () => {
	queue = await openQueue();
});
afterEach(() => queue.close());

describe("lanes", () => {
	test("only the head of a lane is claimed; the next follows when the head is settled", async () => {
		const [a, b] = [await queue.addLead(), await queue.addLead()];
		await queue.touch(a);
		await queue.touch(a);
		await queue.touch(b);
		const first = await queue.claim();
		expect(sequencesOf(first)).toEqual([1, 2]);
		expect(await queue.claim()).toEqual([]);
		const [headOfA, headOfB] = first.sort((x, y) => x.sequence - y.sequence);
		await queue.recordAll([headOfA as never], "delivered");
		const second = await queue.claim();
		expect(sequencesOf(second)).toEqual([3]);
		await queue.recordAll([...second, headOfB as never], "failed");
		expect(sequencesOf(await queue.claim())).toEqual([4, 5]);
	});

	test("a head that is to be retried keeps its lane closed until it is over", async () => {
		await queue.touch(await queue.addLead());
		const [head] = await queue.claim();
		await queue.recordAll([head as never], "retry", queue.clock() + 5000);
		expect(await queue.claim()).toEqual([]);
		queue.clock.advance(4999);
		expect(await queue.claim()).toEqual([]);
		queue.clock.advance(1);
		const retried = await queue.claim();
		expect(sequencesOf(retried)).toEqual([1]);
		expect(retried[0]).toMatchObject({
			uuid: head?.uuid,
			attempts: 1,
			lease: 2,
		});
		await queue.recordAll(retried, "delivered");
		expect(sequencesOf(await queue.claim())).toEqual([2]);
	});

	test("without an order every delivery may go at once", async () => {
		await addIntegration(queue, queue.caller, { ordering: "none" });
		const lead = await queue.addLead();
		await queue.touch(lead);
		await queue.touch(lead);
		// The ordered integration offers one, the other all three.
		expect(await queue.claim()).toHaveLength(4);
	});

	test("turning the order off releases what waits behind a head", async () => {
		const lead = await queue.addLead();
		await queue.touch(lead);
		await queue.execute(
			"updateIntegration",
			{
				params: { integration_id: queue.integrationId },
				body: { ordering: "none" },
			},
			queue.caller,
		);
		expect(sequencesOf(await queue.claim())).toEqual([1, 2]);
	});

	test("turning the order on closes every lane behind its head", async () => {
		const order = (ordering: "none" | "record") =>
			queue.execute(
				"updateIntegration",
				{
					params: { integration_id: queue.integrationId },
					body: { ordering },
				},
				queue.caller,
			);
		await order("none");
		const [a, b] = [await queue.addLead(), await queue.addLead()];
		for (const lead of [a, a, b]) await queue.touch(lead);
		await order("record");
		const heads = await queue.claim();
		expect(sequencesOf(heads)).toEqual([1, 2]);
		await queue.recordAll(heads, "delivered");
		expect(sequencesOf(await queue.claim())).toEqual([3, 5]);
	});

	test("a claim carries the event, the entity and the configuration of its time", async () => {
		const uuid = await queue.addLead();
		const params = { integration_id: queue.integrationId };
		const configuration = [{ id: "later", selected: [] }];
		await queue.execute(
			"updateIntegration",
			{ params, body: { configuration } },
			queue.caller,
		);
		const [claimed] = await queue.claim();
		expect(claimed).toMatchObject({
			eventId: "lead_created",
			userUuid: queue.caller.userUuid,
			lane: uuid,
			configuration: "[]",
		});
		expect(JSON.parse(claimed?.entity as string)).toMatchObject({ uuid });
	});
});

describe("leases", () => {
	/** A lease that has ended, by the database's clock, when it begins. */
	const ended = { leaseMs: -1000 };

	test("a lease that has ended brings the delivery back, and one that holds does not", async () => {
		await queue.addLead();
		const [lost] = await queue.claim(ended);
		await queue.addLead();
		const [held] = await queue.claim();
		await reclaimExpired(queue.store);
		const back = await queue.claim();
		expect(sequencesOf(back)).toEqual([lost?.sequence]);
		expect(back[0]?.lease).toBe(2);
		expect(await queue.recordAll([held as never], "delivered")).toBe(1);
	});

	test("a late result under an old lease changes nothing, before and after the next claim", async () => {
		await queue.touch(await queue.addLead());
		const expired = await queue.claim(ended);
		await reclaimExpired(queue.store);
		const state = async () => [
			await queue.deliveries(),
			await rowsOf(queue, "attempt"),
			await rowsOf(queue, "integration"),
		];
		const reclaimed = await state();
		expect(await queue.recordAll(expired, "delivered")).toBe(0);
		expect(await state()).toEqual(reclaimed);
		const current = await queue.claim();
		const claimed = await state();
		expect(await queue.recordAll(expired, "failed")).toBe(0);
		await returnClaimed(queue.store, expired);
		expect(await state()).toEqual(claimed);
		expect(await queue.recordAll(current, "delivered")).toBe(1);
		// A result is recorded once. The same result a second time counts as late.
		expect(await queue.recordAll(current, "delivered")).toBe(0);
		expect(await rowsOf(queue, "attempt")).toHaveLength(1);
	});

	test("what is given back untried is claimed again at once, as untried", async () => {
		await queue.addLead();
		await returnClaimed(queue.store, await queue.claim());
		expect((await queue.claim())[0]).toMatchObject({ attempts: 0, lease: 2 });
	});
});

describe("pause", () => {
	test("a paused integration is not claimed; what is in flight ends and is counted", async () => {
		const lead = await queue.addLead();
		const inFlight = await queue.claim();
		await queue.touch(lead);
		await queue.pause();
		expect(await queue.claim()).toEqual([]);
		expect(await queue.recordAll(inFlight, "delivered")).toBe(1);
		expect(await queue.claim()).toEqual([]);
		expect(await queue.health()).toMatchObject({
			held: 1,
			pending: 0,
			delivered_24h: 1,
		});
		await queue.resume();
		expect(sequencesOf(await queue.claim())).toEqual([2]);
	});

	/** A store whose next write waits for `before`, as if another caller were faster. */
	const overtaken = (before: () => Promise<unknown>): Store => ({
		...queue.store,
		write: async (work) => {
			await before();
			return queue.store.write(work);
		},
	});

	test("a pause that is answered before the claim writes holds, although the claim looked before it", async () => {
		await queue.addLead();
		const options = { nowMs: queue.clock(), limit: 10, leaseMs: 60_000 };
		expect(await claimDue(overtaken(queue.pause), options)).toEqual([]);
		expect(await queue.deliveries()).toMatchObject([
			{ state: "pending", lease: 0 },
		]);
	});

	test("a claim carries the integration as it is when it is claimed", async () => {
		await queue.addLead();
		const params = { integration_id: queue.integrationId };
		const rotate = () =>
			queue.execute("rotateIntegrationSecret", { params }, queue.caller);
		const options = { nowMs: queue.clock(), limit: 10, leaseMs: 60_000 };
		const [claimed] = await claimDue(overtaken(rotate), options);
		const [row] = await rowsOf(queue, "integration");
		expect(claimed?.integration.secret).toBe(row?.secret);
	});

	test("on_pause drop records what happens meanwhile as dropped; what was pending stays held", async () => {
		const params = { integration_id: queue.integrationId };
		await queue.execute(
			"updateIntegration",
			{ params, body: { on_pause: "drop" } },
			queue.caller,
		);
		const lead = await queue.addLead();
		await queue.pause();
		await queue.touch(lead);
		await queue.addLead();
		const states = (await queue.deliveries()).map(({ state }) => state);
		expect(states).toEqual(["pending", "dropped", "dropped"]);
		expect(await queue.health()).toMatchObject({ held: 1, pending: 0 });
		await queue.resume();
		expect(sequencesOf(await queue.claim())).toEqual([1]);
		await queue.touch(lead);
		expect((await queue.deliveries()).at(-1)).toMatchObject({
			state: "pending",
			sequence: 4,
		});
	});

	test("a settled result can pause its integration", async () => {
		await queue.addLead();
		const [claimed] = await queue.claim();
		const gone = { ...toOutcome(claimed as never, "failed"), pause: "gone" };
		await recordAttempts(queue.store, [gone], queue.clock());
		const [row] = await rowsOf(queue, "integration");
		expect(row).toMatchObject({ status: "paused", pauseReason: "gone" });
	});
});
