import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hold, waitForBlocked } from "#kit/database/holding.ts";
import { addIntegration, rowsOf } from "#kit/database/open-core.ts";
import { openQueue, type TestQueue, toOutcome } from "#kit/database/queue.ts";
import {
	type AttemptOutcome,
	type ClaimedDelivery,
	passFailingHeads,
	reclaimExpired,
	recordAndClaim,
	recordAttemptsWithin,
	returnClaimed,
} from "../../src/index.ts";

let queue: TestQueue;
beforeEach(async () => {
	queue = await openQueue();
	await addIntegration(queue, queue.caller);
});
afterEach(() => queue.close());

/** Claims the heads of two lanes of each of two integrations. Another delivery waits behind each head. */
async function claimHeads(leaseMs = 60_000) {
	for (const lead of [await queue.addLead(), await queue.addLead()])
		await queue.touch(lead);
	const heads = await queue.claim({ leaseMs });
	expect(heads).toHaveLength(4);
	return heads.sort((a, b) => a.sequence - b.sequence);
}

const turn = (results: readonly AttemptOutcome[]) =>
	recordAndClaim(queue.store, results, {
		nowMs: queue.clock(),
		leaseMs: 60_000,
		rooms: [],
	});

const nameOf = ({ integration, sequence }: ClaimedDelivery) =>
	`${integration.id}/${sequence}`;
const namesOf = (results: readonly AttemptOutcome[]) =>
	results.map(({ delivery }) => nameOf(delivery)).sort();

const DELIVERY =
	"select id from delivery where integration_id = 1 and sequence";
/** The locks that another program holds, and the results that wait for them, by integration and sequence. */
const HOLDS: [what: string, text: string, waiting: string[]][] = [
	[
		"an integration",
		"select id from integration where id = 1 for update",
		["1/1", "1/2"],
	],
	[
		"a change of one",
		"update integration set label = 'X' where id = 1",
		["1/1", "1/2"],
	],
	["an attempted delivery", `${DELIVERY} = 1 for update`, ["1/1"]],
	["what comes next in a lane", `${DELIVERY} = 3 for update`, ["1/1"]],
	[
		"all deliveries of one",
		"select id from delivery where integration_id = 1 for update",
		["1/1", "1/2"],
	],
	["a company", "select uuid from company for update", []],
];

describe.each(HOLDS)(
	"while another transaction holds %s",
	(_, text, waiting) => {
		test("all other results are settled at once, and the rest once it is over, each once", async () => {
			const heads = await claimHeads();
			const results = heads.map((head) => toOutcome(head, "delivered"));
			const held = await hold(queue.path, text);
			expect(namesOf((await turn(results)).later)).toEqual(waiting);
			expect(namesOf((await turn(results)).later)).toEqual(waiting);
			expect(await rowsOf(queue, "attempt")).toHaveLength(4 - waiting.length);
			await held.release();
			expect((await turn(results)).later).toEqual([]);
			expect(await rowsOf(queue, "attempt")).toHaveLength(4);
			const integrations = await rowsOf(queue, "integration");
			expect(integrations.map(({ settled }) => settled)).toEqual([2, 2]);
			expect(await queue.claim(), "the next of each lane").toHaveLength(4);
		});

		test("what failed is planned anew, and nobody waits for what comes next in a lane", async () => {
			const heads = await claimHeads();
			const results = heads.map((head) => toOutcome(head, "retry", 1));
			const held = await hold(queue.path, text);
			const { later } = await turn(results);
			const isNext = text.includes("sequence = 3");
			expect(namesOf(later)).toEqual(isNext ? [] : waiting);
			await held.release("rollback");
			expect((await turn(results)).later).toEqual([]);
			expect(await rowsOf(queue, "attempt")).toHaveLength(4);
		});

		test("leases that ended, deliveries given back and failing heads wait for nobody", async () => {
			const heads = await claimHeads(-1000);
			const held = await hold(queue.path, text);
			await returnClaimed(queue.store, heads.slice(0, 2));
			await reclaimExpired(queue.store);
			await passFailingHeads(queue.store, queue.clock());
			await held.release();
			await reclaimExpired(queue.store);
			expect(await queue.claim()).toHaveLength(4);
		});
	},
);

test("a result that pauses its integration waits for the company's row, and others do not", async () => {
	const [first, ...others] = await claimHeads();
	const gone = { ...toOutcome(first as never, "failed"), pause: "gone" };
	const results = [gone, ...others.map((one) => toOutcome(one, "delivered"))];
	const held = await hold(queue.path, "select uuid from company for update");
	expect((await turn(results)).later).toEqual([gone]);
	await held.release();
	expect((await turn([gone])).later).toEqual([]);
	const [integration] = await rowsOf(queue, "integration");
	expect(integration).toMatchObject({ status: "paused", settled: 2 });
});

test("failing heads let others pass although what comes next in one lane is held", async () => {
	const heads = await claimHeads();
	const at = queue.clock() + 3_600_000;
	const results = heads.map((head) => ({
		...toOutcome(head, "retry", at),
		passAt: queue.clock(),
	}));
	await turn(results);
	const held = await hold(queue.path, `${DELIVERY} = 3 for update`);
	expect(await passFailingHeads(queue.store, queue.clock())).toBe(3);
	await held.release();
	expect(await passFailingHeads(queue.store, queue.clock())).toBe(1);
	expect(await queue.claim()).toHaveLength(4);
});

test("a claim that finds all due integrations held waits for one of them", async () => {
	await queue.addLead();
	const held = await hold(queue.path, "select id from integration for update");
	const claiming = recordAndClaim(queue.store, [], {
		nowMs: queue.clock(),
		leaseMs: 60_000,
		rooms: [{ limit: 8 }],
	});
	await waitForBlocked(queue.path);
	await held.release();
	expect((await claiming).claimed.flat().map(nameOf)).toEqual(["1/1", "2/1"]);
});

test("a claim waits no longer than a moment for what is held", async () => {
	await queue.addLead();
	const held = await hold(queue.path, "select id from integration for update");
	const { claimed } = await recordAndClaim(queue.store, [], {
		nowMs: queue.clock(),
		leaseMs: 60_000,
		rooms: [{ limit: 8 }],
	});
	expect(claimed).toEqual([[]]);
	await held.release();
});

test("a result under an old lease is neither taken nor kept", async () => {
	const expired = await claimHeads(-1000);
	await reclaimExpired(queue.store);
	const results = expired.map((head) => toOutcome(head, "delivered"));
	const held = await hold(queue.path, `${DELIVERY} = 1 for update`);
	expect(await turn(results)).toMatchObject({ later: [] });
	await held.release();
	expect(await rowsOf(queue, "attempt")).toEqual([]);
});

test("patience waits for an integration in use, and not for one that is held on", async () => {
	const heads = await claimHeads();
	const results = heads
		.filter(({ integration }) => integration.id === 1)
		.map((head) => toOutcome(head, "delivered"));
	const held = await hold(
		queue.path,
		"select id from integration where id = 1 for update",
	);
	const options = { nowMs: queue.clock(), waitMs: 1 };
	const { taken, later } = await recordAttemptsWithin(
		queue.store,
		results,
		options,
	);
	expect(taken).toBe(0);
	expect(later).toEqual(results);
	const waiting = recordAttemptsWithin(queue.store, results, {
		...options,
		waitMs: 60_000,
	});
	await waitForBlocked(queue.path);
	await held.release();
	expect(await waiting).toEqual({ taken: 2, later: [] });
});
