import fc from "fast-check";
import { expect, test } from "vitest";
import { rowsOf } from "#kit/database/open-core.ts";
import {
	groupBy,
	type Outcome,
	openQueue,
	type TestQueue,
} from "#kit/database/queue.ts";
import { type ClaimedDelivery, reclaimExpired } from "../../src/index.ts";

type Step =
	| { do: "touch"; lead: number }
	| { do: "claim"; limit: number }
	| { do: "settle"; count: number; outcome: Outcome }
	| { do: "lose"; limit: number }
	| { do: "pause" | "resume" | "late" };

const step: fc.Arbitrary<Step> = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.record({
			do: fc.constant("touch" as const),
			lead: fc.nat(2),
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			do: fc.constant("claim" as const),
			limit: fc.integer({ min: 1, max: 4 }),
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			do: fc.constant("settle" as const),
			count: fc.integer({ min: 1, max: 4 }),
			outcome: fc.constantFrom<Outcome>("delivered", "failed", "retry"),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			do: fc.constant("lose" as const),
			limit: fc.integer({ min: 1, max: 3 }),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			do: fc.constantFrom("pause" as const, "resume" as const, "late" as const),
		}),
	},
);

/** Checks everything that must be true between any two steps. */
async function checkInvariants(queue: TestQueue) {
	const rows = await queue.deliveries();
	const [integration] = await rowsOf(queue, "integration");
	const unfinished = rows.filter(
		({ state }) => state === "pending" || state === "delivering",
	);
	const waiting = unfinished.length;
	expect(rows.map(({ sequence }) => sequence)).toEqual(
		rows.map((_, at) => at + 1),
	);
	expect(integration?.sequence).toBe(rows.length);
	expect(integration?.settled).toBe(rows.length - waiting);
	const isPaused = integration?.status === "paused";
	const attempts = await rowsOf(queue, "attempt");
	expect(await queue.health()).toMatchObject({
		held: isPaused ? waiting : 0,
		pending: isPaused ? 0 : waiting,
		delivered_24h: attempts.filter(({ status }) => status === 200).length,
		failed_24h: attempts.filter(({ status }) => status !== 200).length,
	});
	for (const lane of groupBy(unfinished, (row) => row.lane)) {
		const ready = lane
			.filter((row) => row.ready)
			.map(({ sequence }) => sequence);
		expect(ready, "the head alone is ready").toEqual([
			Math.min(...lane.map(({ sequence }) => sequence)),
		]);
	}
	for (const row of rows)
		expect(row.finishedAt === null).toBe(unfinished.includes(row));
	for (const row of rows)
		expect(
			attempts.filter(({ deliveryId }) => deliveryId === row.id),
		).toHaveLength(row.attempts);
}

async function run(queue: TestQueue, steps: readonly Step[]) {
	const leads: string[] = [];
	let inFlight: ClaimedDelivery[] = [];
	const lost: ClaimedDelivery[] = [];
	for (const step of steps) {
		queue.clock.advance(1000);
		if (step.do === "touch") {
			const lead = leads[step.lead];
			if (lead) await queue.touch(lead);
			else leads.push(await queue.addLead());
		} else if (step.do === "claim")
			inFlight.push(...(await queue.claim({ limit: step.limit })));
		else if (step.do === "settle") {
			const some = inFlight.slice(0, step.count);
			inFlight = inFlight.slice(step.count);
			expect(await queue.recordAll(some, step.outcome, queue.clock())).toBe(
				some.length,
			);
		} else if (step.do === "lose") {
			lost.push(...(await queue.claim({ limit: step.limit, leaseMs: -1000 })));
			await reclaimExpired(queue.store);
		} else if (step.do === "late") {
			expect(await queue.recordAll(lost.splice(0), "delivered")).toBe(0);
		} else await queue[step.do]();
		await checkInvariants(queue);
	}
}

test("whatever happens in whatever order, the counters agree with the rows and each lane has one head", async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(step, { minLength: 10, maxLength: 40 }),
			async (steps) => {
				const queue = await openQueue({
					event_ids: ["lead_created", "lead_updated"],
				});
				try {
					await run(queue, steps);
				} finally {
					await queue.close();
				}
			},
		),
		{ numRuns: 12 },
	);
});
