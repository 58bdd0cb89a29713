import { expect, onTestFinished, test } from "vitest";
import { createFakeWire, toResult } from "#kit/endpoints/fake-wire.ts";
import { startWorker } from "../../src/worker/index.ts";
import { openWorld, statesOf } from "../support/lead-world.ts";

const HOUR_MS = 3_600_000;

test("a clock that steps back an hour loses nothing, keeps the order and delivers what comes after it at once", async () => {
	const core = await openWorld();
	const wire = createFakeWire(() => toResult(200, core.clock()));
	const worker = startWorker({
		store: core.store,
		cipher: core.cipher,
		wire,
		clock: core.clock,
		pollMs: 5,
	});
	onTestFinished(() => worker.stop());
	await core.addLead();
	await expect.poll(() => wire.arrivals.length).toBe(1);
	core.clock.advance(-HOUR_MS);
	await core.addLead();
	await expect.poll(() => wire.arrivals.length).toBe(2);
	core.clock.advance(HOUR_MS);
	await core.addLead();
	await expect
		.poll(() => statesOf(core))
		.toEqual(["delivered", "delivered", "delivered"]);
	expect(wire.arrivals.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
	const ledger = await core.execute("getWebhookLedger", {}, core.caller);
	expect(ledger.balanced).toBe(true);
});

test("what was written before a clock stepped back goes at once: never attempted, planned a year ahead, or claimed by a killed worker", async () => {
	const core = await openWorld();
	const options = {
		store: core.store,
		cipher: core.cipher,
		clock: core.clock,
		pollMs: 5,
	};
	const YEAR_MS = 365 * 24 * HOUR_MS;
	core.clock.advance(YEAR_MS);
	await core.addLead();
	const failing = createFakeWire(() => toResult(500, core.clock()));
	const ahead = startWorker({ ...options, wire: failing });
	await expect.poll(() => failing.arrivals.length).toBe(1);
	await ahead.stop();
	await core.addLead();
	core.clock.advance(-YEAR_MS);
	const wire = createFakeWire(() => toResult(200, core.clock()));
	const worker = startWorker({ ...options, wire });
	onTestFinished(() => worker.stop());
	await expect.poll(() => statesOf(core)).toEqual(["delivered", "delivered"]);
	core.clock.advance(2 * HOUR_MS);
	// The same for rows that another process wrote, while the worker runs.
	await core.addLead();
	core.clock.advance(-HOUR_MS);
	await core.addLead();
	await expect.poll(() => wire.arrivals.length).toBe(4);
	expect(new Set(wire.arrivals.map(({ sequence }) => sequence))).toEqual(
		new Set([1, 2, 3, 4]),
	);
});
