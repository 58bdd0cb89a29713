import { setTimeout as wait } from "node:timers/promises";
import { ApiError } from "@partnerwire/contract";
import { type Agenda, readAgenda } from "@partnerwire/core";
import type { Service } from "../service/open-service.ts";
import { checkTime, type EmulatorClock } from "./clock.ts";
import type { LateCopies } from "./late-copies.ts";

/** Real time that the attempts of one step may take. An attempt's own time limits are lower. */
const STEP_MS = 25_000;
const LOOK_MS = 5;
/** If the worker is idle at this many looks in a row, due deliveries are considered to wait for something else. */
const IDLE_LOOKS = 400;

/** Nothing is due; due deliveries wait for their rate or for the next one; or the attempts take too long. */
export type Settling = "settled" | "waiting" | "late";

export interface Steps {
	readonly service: Service;
	readonly late: LateCopies;
	readonly clock: EmulatorClock;
	/** Aborted by a reset. */
	readonly signal: AbortSignal;
}

/** Throws a 409 if a reset or the end of the emulator came meanwhile. */
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

/** Waits until every delivery that is due by the clock was attempted. */
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
 * Moves the clock forward. It stops at each time at which a delivery becomes due, may pass its lane's head, or has its rate
 * again, so that everything happens at its own time. Throws a 400 if the end is out of the clock's range, and a 409 if a
 * reset comes meanwhile.
 */
export async function advance(steps: Steps, byMs: number): Promise<Settling> {
	const { clock } = steps;
	const target = checkTime(clock() + byMs);
	let settling = await settle(steps);
	while (settling !== "late") {
		const { nextAt } = await look(steps);
		if (nextAt === null || nextAt > target) break;
		// A running clock may be past that time already.
		clock.set(Math.max(nextAt, clock()));
		settling = await settle(steps);
	}
	refuseAborted(steps.signal);
	clock.set(Math.max(target, clock()));
	const last = await settle(steps);
	return settling === "late" ? settling : last;
}
