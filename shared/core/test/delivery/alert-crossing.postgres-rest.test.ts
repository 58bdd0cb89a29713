// Two processes that take the same alert at the same time, on PostgreSQL.

import { expect, test } from "vitest";
import { hold, waitForBlocked } from "#kit/database/holding.ts";
import { openQueue, toOutcome } from "#kit/database/queue.ts";
import {
	planAlert,
	raiseAlerts,
	recordAttempts,
	takeDueAlerts,
} from "../../src/index.ts";

test("two that take one alert at the same moment, and one that ends while it is taken over: one of them has it", async () => {
	const queue = await openQueue();
	const { store, path, clock } = queue;
	await queue.addLead();
	const results = (await queue.claim()).map((one) =>
		toOutcome(one, "retry", clock()),
	);
	await recordAttempts(store, results, clock());
	const limits = { ageMs: 1e9, everyMs: 1e9, sends: true };
	await raiseAlerts(store, { ...limits, nowMs: clock() });
	const take = (leaseMs: number) =>
		takeDueAlerts(store, { nowMs: clock(), leaseMs });

	// Both have read the due alerts, and wait to write.
	const first = await hold(path, "select id from alert for update");
	const taking = [take(-1000), take(-1000)];
	await waitForBlocked(path, 2);
	await first.release();
	const [taken, ...more] = (await Promise.all(taking)).flat();
	expect(more).toEqual([]);

	// Its lease has ended: another process takes it over while the first one records that it was sent.
	const second = await hold(path, "select id from alert for update");
	const crossing = take(60_000);
	await waitForBlocked(path, 1);
	const planning = planAlert(store, taken as never, null);
	await waitForBlocked(path, 2);
	await second.release();
	const [over] = await crossing;
	expect(await planning).toBe(over === undefined);
	expect(await take(60_000)).toEqual([]);
	await queue.close();
});
