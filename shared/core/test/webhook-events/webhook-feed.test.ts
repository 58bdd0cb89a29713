import { eq, inArray } from "drizzle-orm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openQueue, type TestQueue } from "#kit/database/queue.ts";
import { MAX_PAYLOAD_BYTES } from "../../src/delivery/emit/emit-event.ts";

let queue: TestQueue;
beforeEach(async () => {
	queue = await openQueue();
});
afterEach(async () => {
	vi.restoreAllMocks();
	await queue.close();
});

const feed = (query: { after_sequence?: number; limit?: number } = {}) =>
	queue.execute(
		"getWebhookFeed",
		{ query: { integration_id: queue.integrationId, ...query } },
		queue.caller,
	);

/** Removes deliveries, as retention does. */
async function purge(...sequences: number[]) {
	const { delivery, integration } = queue.store.tables;
	await queue.store.write(async ({ query }) => {
		await query.delete(delivery).where(inArray(delivery.sequence, sequences));
		await query.update(integration).set({ purged: sequences.length });
	});
}

test.each([
	{
		purged: [1, 2, 5],
		ranges: [
			[1, 2],
			[5, 5],
		],
		left: [3, 4, 6],
	},
	{ purged: [6], ranges: [[6, 6]], left: [1, 2, 3, 4, 5] },
	{ purged: [1, 2, 3, 4, 5, 6], ranges: [[1, 6]], left: [] },
])("purged deliveries $purged are told as ranges", async (row) => {
	for (let count = 0; count < 6; count++) await queue.addLead();
	await purge(...row.purged);
	for (const limit of [1, 2, 100]) {
		const numbers: number[] = [];
		const ranges: number[] = [];
		let after_sequence = 0;
		do {
			const page = await feed({ after_sequence, limit });
			const covered = page.purged.reduce(
				(sum, range) => sum + range.to_sequence - range.from_sequence + 1,
				page.data.length,
			);
			expect(covered, "nothing is left out").toBe(
				page.to_sequence - after_sequence,
			);
			numbers.push(...page.data.map(({ sequence }) => sequence));
			for (const { from_sequence, to_sequence } of page.purged)
				for (let at = from_sequence; at <= to_sequence; at++) ranges.push(at);
			after_sequence = page.to_sequence;
		} while (after_sequence < 6);
		expect(numbers).toEqual(row.left);
		expect(ranges).toEqual(row.purged);
	}
	expect(
		(await feed({ limit: 100 })).purged.map((range) => Object.values(range)),
	).toEqual(row.ranges);
});

test("a payload that was too large to send is reported and not shown", async () => {
	await queue.addLead();
	const { event, delivery } = queue.store.tables;
	await queue.store.write(async ({ query }) => {
		await query
			.update(delivery)
			.set({ state: "failed", lastError: "the payload has about 300000 bytes" })
			.where(eq(delivery.sequence, 1));
		await query
			.update(event)
			.set({ entity: `"${"x".repeat(MAX_PAYLOAD_BYTES + 1)}"` });
	});
	expect((await feed()).data).toMatchObject([
		{
			status: "failed",
			omitted: "the payload has about 300000 bytes",
			body: null,
			token: null,
		},
	]);
});

test("a page ends before it holds too many bytes, and the next one goes on there", async () => {
	for (let count = 0; count < 20; count++) await queue.addLead();
	const { event } = queue.store.tables;
	await queue.store.write(({ query }) =>
		query.update(event).set({ entity: `"${"x".repeat(250 * 1024)}"` }),
	);
	const first = await feed({ limit: 100 });
	expect(first.data).toHaveLength(16);
	expect(first).toMatchObject({ to_sequence: 16, newest_sequence: 20 });
	const rest = await feed({ limit: 100, after_sequence: 16 });
	expect(rest.data).toHaveLength(4);
});
