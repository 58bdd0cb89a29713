import { setTimeout as wait } from "node:timers/promises";
import { readGauges } from "@partnerwire/core";
import type { Service } from "../service/open-service.ts";
import type { EmulatorClock } from "./clock.ts";

/** Real time that one step's attempts may take: an attempt's own time limits are below it. */
const STEP_MS = 25_000;
const LOOK_MS = 5;
/** Looks at an idle worker after which what is due is taken to wait for something else, such as its rate. */
const IDLE_LOOKS = 40;
const EVER = Number.MAX_SAFE_INTEGER;

/** When the next delivery is due, and whether one is under way. */
async function look({ store, workerLoad }: Service) {
	const gauges = await readGauges(store.read, EVER);
	const { inFlight, waiting } = workerLoad();
	return {
		dueAt: gauges.oldestDueAt.pending,
		isBusy: gauges.delivering > 0 || inFlight > 0 || waiting > 0,
	};
}

/** Waits until everything that is due by the clock was attempted; false when that takes too long. */
export async function settle(
	service: Service,
	clock: EmulatorClock,
): Promise<boolean> {
	const untilMs = performance.now() + STEP_MS;
	let idleLooks = 0;
	await service.catchUp();
	for (;;) {
		const { dueAt, isBusy } = await look(service);
		const isDue = dueAt !== null && dueAt <= clock();
		if (!isBusy && !isDue) return true;
		if (!isBusy && ++idleLooks > IDLE_LOOKS) return true;
		if (performance.now() > untilMs) return false;
		await wait(LOOK_MS);
	}
}

/**
 * Moves the clock on, and stops at each time at which a delivery is due: what happens in between happens at its time, as if
 * one had waited. Answers whether everything was attempted.
 */
export async function advance(
	service: Service,
	clock: EmulatorClock,
	byMs: number,
): Promise<boolean> {
	const target = clock() + byMs;
	let isSettled = await settle(service, clock);
	while (isSettled) {
		const { dueAt } = await look(service);
		if (dueAt === null || dueAt > target || dueAt <= clock()) break;
		clock.set(dueAt);
		isSettled = await settle(service, clock);
	}
	clock.set(Math.max(target, clock()));
	return (await settle(service, clock)) && isSettled;
}
