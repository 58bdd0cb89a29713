import { expect, onTestFinished, test } from "vitest";
import { onDatabase } from "#kit/database/database-client.ts";
import { rowsOf } from "#kit/database/open-core.ts";
import { createFakeWire, toResult } from "#kit/endpoints/fake-wire.ts";
import type { AttemptResult } from "../../src/index.ts";
import { startWorker } from "../../src/worker/index.ts";
import { openWorld, statesOf } from "../support/lead-world.ts";

const HOURS_MS = 4 * 3_600_000;

test("workers that lose their connection keep what is under way: it is sent once, and its result counts", async () => {
	const world = await openWorld();
	const answers: ((result: AttemptResult) => void)[] = [];
	const wire = createFakeWire(
		() => new Promise((resolve) => answers.push(resolve)),
	);
	const faults: unknown[] = [];
	const workers = [1, 2].map(() =>
		startWorker({
			store: world.store,
			cipher: world.cipher,
			wire,
			clock: world.clock,
			// A poll that comes before its lock would let it begin without one.
			pollMs: HOURS_MS,
			leaseMs: HOURS_MS,
			onFault: (fault) => faults.push(fault),
		}),
	);
	onTestFinished(async () => {
		await Promise.all(workers.map((worker) => worker.stop()));
	});
	await world.addLead();
	await expect.poll(() => answers.length).toBe(1);
	const workerOf = async () => (await rowsOf(world, "delivery"))[0]?.workerId;
	const before = await workerOf();
	expect(before).toBeGreaterThan(0);
	await onDatabase(world.path, (client) =>
		client.query(
			"select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'",
		),
	);
	await expect.poll(workerOf).not.toBe(before);
	answers[0]?.(toResult(200, world.clock()));
	await expect.poll(() => statesOf(world)).toEqual(["delivered"]);
	expect(await rowsOf(world, "delivery")).toMatchObject([
		{ lease: 1, attempts: 1 },
	]);
	expect(wire.arrivals).toHaveLength(1);
	expect(faults).toEqual([]);
});
