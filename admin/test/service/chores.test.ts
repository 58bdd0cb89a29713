import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { startMaintenance } from "../../src/service/maintenance.ts";

const HOUR_MS = 3_600_000;

test("one that goes on and on ends when the service stops, which is no fault; a fault of that moment is one", async () => {
	const faults: unknown[] = [];
	const onFault = (error: unknown) => faults.push(error);
	const fault = new Error("the database is gone");
	let steps = 0;
	const chores = startMaintenance(
		[
			{
				everyMs: HOUR_MS,
				async run(signal) {
					for (;;) {
						steps++;
						await nextTurn();
						signal.throwIfAborted();
					}
				},
			},
			{
				everyMs: HOUR_MS,
				async run(signal) {
					while (!signal.aborted) await nextTurn();
					throw fault;
				},
			},
		],
		onFault,
	);
	await expect.poll(() => steps).toBeGreaterThan(2);
	await chores.stop();
	const taken = steps;
	await nextTurn();
	expect(steps).toBe(taken);
	expect(faults).toEqual([fault]);
});
