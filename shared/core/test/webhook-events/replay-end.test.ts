// A replay whose process must stop.

import { expect, test } from "vitest";
import { openQueue } from "#kit/database/queue.ts";
import { runReplays } from "../../src/index.ts";

const LEADS = 60;

test("a process that is told to end gives back no more than a transaction does, and the next one goes on", async () => {
	const queue = await openQueue();
	for (let lead = 0; lead < LEADS; lead++) await queue.addLead();
	await queue.recordAll(await queue.claim(), "delivered");
	const body = {
		integration_id: queue.integrationId,
		statuses: ["delivered" as const],
		rate_per_second: LEADS,
	};
	await queue.execute("createWebhookReplay", { body }, queue.caller);
	queue.clock.advance(1000);
	const pending = async () =>
		(await queue.deliveries()).filter(({ state }) => state === "pending");
	const signal = AbortSignal.abort();
	const cut = runReplays(queue.store, queue.clock(), signal);
	await expect(cut).rejects.toBe(signal.reason);
	const replayed = (await pending()).length;
	expect(replayed).toBeGreaterThan(0);
	expect(await runReplays(queue.store, queue.clock())).toBe(LEADS - replayed);
	await queue.close();
});
