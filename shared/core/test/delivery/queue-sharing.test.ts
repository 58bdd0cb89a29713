// How a claim shares its limit between integrations.

import { afterEach, beforeEach, expect, test } from "vitest";
import { addIntegration } from "#kit/database/open-core.ts";
import { groupBy, openQueue, type TestQueue } from "#kit/database/queue.ts";
import { createFindDue } from "../../src/delivery/claim/due-integrations.ts";

let queue: TestQueue;
beforeEach(async () => {
	queue = await openQueue();
});
afterEach(() => queue.close());

test("a limit is shared out evenly over the integrations that have work", async () => {
	await addIntegration(queue, queue.caller);
	for (let made = 0; made < 10; made++) await queue.addLead();
	const claimed = await queue.claim({ limit: 6 });
	const perIntegration = groupBy(claimed, ({ integration }) => integration.id);
	expect(perIntegration.map((list) => list.length)).toEqual([3, 3]);
});

test.each([
	[128, Array(64).fill(2), "two of each of the first 64"],
	[140, Array(70).fill(2), "all of those, then of others"],
])("a limit of %i over 70 integrations: %j, %s", async (limit, counts) => {
	for (let made = 1; made < 70; made++)
		await addIntegration(queue, queue.caller);
	for (let made = 0; made < 2; made++) await queue.addLead();
	const claimed = await queue.claim({ limit });
	const lists = groupBy(claimed, ({ integration }) => integration.id);
	expect(lists.map((list) => list.length)).toEqual(counts);
	expect(new Set(claimed.map(({ id }) => id)).size).toBe(claimed.length);
});

test.each([3, 4, 5, 7, 8])(
	"a limit that cannot be shared out evenly is used up: %i",
	async (limit) => {
		for (let made = 1; made < 3; made++)
			await addIntegration(queue, queue.caller);
		for (let made = 0; made < 3; made++) await queue.addLead();
		expect(await queue.claim({ limit })).toHaveLength(limit);
	},
);

test("integrations are found in the order of their keys, each once, from one on and round, however many", async () => {
	const many = 300;
	for (let made = 1; made < many; made++)
		await addIntegration(queue, queue.caller);
	await queue.addLead();
	const options = { nowMs: queue.clock(), after: 280, ofOthers: 1 };
	const found: number[] = [];
	for await (const id of createFindDue(queue.store.read)(options))
		found.push(id);
	const keys = Array.from({ length: many }, (_, index) => index + 1);
	expect(found).toEqual([...keys.slice(280), ...keys.slice(0, 280)]);
});

test("going round by `after`, every integration is served as often as the others", async () => {
	for (let made = 1; made < 5; made++)
		await addIntegration(queue, queue.caller);
	for (let made = 0; made < 12; made++) await queue.addLead();
	const served: number[] = [];
	for (let turn = 0; turn < 10; turn++) {
		const claimed = await queue.claim({
			limit: 3,
			after: served.at(-1) ?? 0,
		});
		served.push(...claimed.map(({ integration }) => integration.id));
	}
	const counts = groupBy(served, (id) => id).map((list) => list.length);
	expect(counts).toEqual([6, 6, 6, 6, 6]);
});
