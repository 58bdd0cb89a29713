import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
	addIntegration,
	addPartner,
	openTestCore,
	rowsOf,
	type TestCore,
} from "#kit/database/open-core.ts";
import { rescheduleAfterClockChange } from "../../src/index.ts";

const SECOND_MS = 1000;
const HOUR_MS = 3600 * SECOND_MS;
const DAY_MS = 24 * HOUR_MS;

let core: TestCore;
beforeAll(async () => {
	core = await openTestCore();
	await addIntegration(core, core.caller, { event_ids: ["partner_created"] });
});
afterAll(() => core.close());

/** How far ahead a delivery is due, and whether only a clock that was ahead can have planned that. */
const CASES = [
	{ attempts: 0, aheadMs: 30 * SECOND_MS, isRescheduled: false },
	{ attempts: 0, aheadMs: HOUR_MS, isRescheduled: true },
	{ attempts: 0, aheadMs: 365 * DAY_MS, isRescheduled: true },
	{ attempts: 3, aheadMs: HOUR_MS, isRescheduled: false },
	{ attempts: 3, aheadMs: 8 * DAY_MS, isRescheduled: false },
	{ attempts: 3, aheadMs: 9 * DAY_MS, isRescheduled: true },
	// The schedule began again: redelivered, and not attempted since.
	{ attempts: 3, attemptsBefore: 3, aheadMs: HOUR_MS, isRescheduled: true },
];

test("what no schedule plans so far ahead is due now, the rest stays", async () => {
	const nowMs = core.clock();
	for (const { attempts, attemptsBefore = 0, aheadMs } of CASES) {
		const uuid = await addPartner(core, core.caller);
		await core.store.write((db) => {
			const { delivery } = db.tables;
			return db.query
				.update(delivery)
				.set({ attempts, attemptsBefore, dueAt: nowMs + aheadMs })
				.where(eq(delivery.lane, uuid));
		});
	}
	const rescheduled = await rescheduleAfterClockChange(core.store, {
		nowMs,
		leaseMs: HOUR_MS,
	});
	expect(rescheduled).toBe(
		CASES.filter(({ isRescheduled }) => isRescheduled).length,
	);
	const rows = await rowsOf(core, "delivery");
	expect(rows.map(({ dueAt }) => dueAt - nowMs)).toEqual(
		CASES.map(({ isRescheduled, aheadMs }) => (isRescheduled ? 0 : aheadMs)),
	);
});

test("a lease that outlasts the step of the clock is cut to the length of one", async () => {
	await core.store.write((db) => {
		const { delivery } = db.tables;
		const leaseUntil = sql`${db.dialect.now()} + ${DAY_MS}`;
		return db.query.update(delivery).set({ state: "delivering", leaseUntil });
	});
	await rescheduleAfterClockChange(core.store, {
		nowMs: core.clock(),
		leaseMs: HOUR_MS,
	});
	const isOnPostgres = core.store.dialect.name === "postgres";
	for (const { leaseUntil } of await rowsOf(core, "delivery")) {
		const leftMs = (leaseUntil as number) - Date.now();
		expect(leftMs > 2 * HOUR_MS).toBe(isOnPostgres);
	}
});
