import { afterEach, beforeEach, expect, test } from "vitest";
import { addIntegration } from "#kit/database/open-core.ts";
import { openQueue, type TestQueue } from "#kit/database/queue.ts";
import type { ClaimedDelivery } from "../../src/index.ts";

const INTEGRATIONS = [1, 2, 3, 4, 5, 6];
const LEADS = 8;
/** The most deliveries of one integration that all workers together may have in flight. */
const MOST = 6;

let queue: TestQueue;
beforeEach(async () => {
	queue = await openQueue();
	for (const _ of INTEGRATIONS.slice(1))
		await addIntegration(queue, queue.caller);
	for (let made = 0; made < LEADS; made++) await queue.addLead();
});
afterEach(() => queue.close());

/** A worker as the queue sees it: the deliveries that it has claimed and not recorded. */
function createClaimant() {
	let held: ClaimedDelivery[] = [];
	let after = 0;
	return {
		/** Answers how many deliveries it got of each integration. */
		async claim(
			limit: number,
			{ mayClaim = INTEGRATIONS, freeFirst = true } = {},
		) {
			const claimed = await queue.claim({
				limit,
				after,
				ofEach: new Map(mayClaim.map((id) => [id, LEADS])),
				ofOthers: 0,
				across: { most: MOST, heldHere: held, freeFirst },
			});
			held.push(...claimed);
			after = claimed.at(-1)?.integration.id ?? after;
			const counts: Record<number, number> = {};
			for (const { integration } of claimed)
				counts[integration.id] = (counts[integration.id] ?? 0) + 1;
			return counts;
		},
		async settle() {
			await queue.recordAll(held, "delivered");
			held = [];
		},
	};
}

test("a claim begins with integrations of which no other worker has any under way, wherever it is in the round", async () => {
	const [one, other] = [createClaimant(), createClaimant()];
	expect(await one.claim(6, { mayClaim: [1, 2, 3] })).toEqual({
		1: 2,
		2: 2,
		3: 2,
	});
	expect(await other.claim(6)).toEqual({ 4: 2, 5: 2, 6: 2 });
	expect(await one.claim(3)).toEqual({ 1: 1, 2: 1, 3: 1 });
	expect(await other.claim(3)).toEqual({ 4: 1, 5: 1, 6: 1 });
});

test("it takes of the others' what its own leave over, within what all may have under way", async () => {
	const [one, other] = [createClaimant(), createClaimant()];
	await one.claim(6, { mayClaim: [1, 2, 3] });
	expect(await other.claim(100)).toEqual({
		...{ 1: MOST - 2, 2: MOST - 2, 3: MOST - 2 },
		...{ 4: LEADS, 5: LEADS, 6: LEADS },
	});
	expect(await one.claim(100)).toEqual({});
});

test("what another worker has settled is free again", async () => {
	const [one, other] = [createClaimant(), createClaimant()];
	await one.claim(6, { mayClaim: [1, 2, 3] });
	expect(await other.claim(3)).toEqual({ 4: 1, 5: 1, 6: 1 });
	await one.settle();
	expect(await other.claim(3)).toEqual({ 1: 1, 2: 1, 3: 1 });
});

test.each([1, 2, 3])(
	"of the others' integrations those that have all they may do not stand in the way of the rest: a limit of %i",
	async (limit) => {
		const [one, other] = [createClaimant(), createClaimant()];
		await one.claim(5 * MOST, { mayClaim: [1, 2, 3, 4, 5] });
		await one.claim(1, { mayClaim: [6] });
		expect(await other.claim(limit)).toEqual({ 6: limit });
	},
);

test("a claim that is to begin wherever it is takes of the others' as well, in turn", async () => {
	const [stuck, other] = [createClaimant(), createClaimant()];
	await stuck.claim(3, { mayClaim: [1, 2, 3] });
	const plain = { freeFirst: false };
	expect(await other.claim(3, plain)).toEqual({ 1: 1, 2: 1, 3: 1 });
	expect(await other.claim(3, plain)).toEqual({ 4: 1, 5: 1, 6: 1 });
	expect(await other.claim(3, plain)).toEqual({ 1: 1, 2: 1, 3: 1 });
});
