import { setTimeout as wait } from "node:timers/promises";
import { ApiError } from "@partnerwire/contract";
import { type Agenda, readAgenda } from "@partnerwire/core";
import type { Service } from "../service/open-service.ts";
import { checkTime, type EmulatorClock } from "./clock.ts";
import type { LateCopies } from "./late-copies.ts";

/** Real time that one step's attempts may take: an attempt's own time limits are below it. */
const STEP_MS = 25_000;
const LOOK_MS = 5;
/** Looks one after the other at an idle worker after which what is due is taken to wait for something else. */
const IDLE_LOOKS = 400;

/** How a look at the queue ended: nothing is due; what is due waits for its rate or for the next one; or it takes too long. */
export type Settling = "settled" | "waiting" | "late";

export interface Steps {
	readonly service: Service;
	readonly late: LateCopies;
	readonly clock: EmulatorClock;
	/** A reset ends the steps. */
	readonly signal: AbortSignal;
}

/** Refuses to go on in a world that is thrown away. */
export function refuseAborted(signal: AbortSignal): void {
	if (signal.aborted)
		throw new ApiError(
			"conflict",
			"a reset, or the end of the emulator, came before the clock had arrived",
		);
}

async function look({ service, late, clock }: Steps): Promise<Agenda> {
	const nowMs = clock();
	const agenda = await readAgenda(service.store.read, nowMs);
	const { inFlight, waiting } = service.workerLoad();
	const copies = late.agenda(nowMs);
	const times = [agenda.nextAt, copies.nextAt].filter((at) => at !== null);
	return {
		isBusy: agenda.isBusy || copies.isBusy || inFlight > 0 || waiting > 0,
		isBound: agenda.isBound || copies.isBound,
		nextAt: times.length > 0 ? Math.min(...times) : null,
	};
}

/** Waits until everything that may be attempted by the clock was. */
export async function settle(steps: Steps): Promise<Settling> {
	const { service, late, signal } = steps;
	const untilMs = performance.now() + STEP_MS;
	let idleLooks = 0;
	await service.catchUp();
	late.sendDue();
	for (;;) {
		refuseAborted(signal);
		const { isBusy, isBound } = await look(steps);
		if (!isBusy) return isBound ? "waiting" : "settled";
		const { inFlight, waiting } = service.workerLoad();
		idleLooks = inFlight > 0 || waiting > 0 ? 0 : idleLooks + 1;
		if (idleLooks > IDLE_LOOKS) return "waiting";
		if (performance.now() > untilMs) return "late";
		await wait(LOOK_MS);
	}
}

/**
 * Moves the clock on, and stops at each time at which a delivery is due, is let past or has its rate back: what happens in
 * between happens at its time, as if one had waited. Throws a 400 before the first step when the end is no time of the
 * emulator's, and a 409 when a reset comes in between.
 */
export async function advance(steps: Steps, byMs: number): Promise<Settling> {
	const { clock } = steps;
	const target = checkTime(clock() + byMs);
	let settling = await settle(steps);
	while (settling !== "late") {
		const { nextAt } = await look(steps);
		if (nextAt === null || nextAt > target) break;
		// A clock that runs may have come there by itself.
		clock.set(Math.max(nextAt, clock()));
		settling = await settle(steps);
	}
	refuseAborted(steps.signal);
	clock.set(Math.max(target, clock()));
	const last = await settle(steps);
	return settling === "late" ? settling : last;
}
