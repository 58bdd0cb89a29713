import { setTimeout as wait } from "node:timers/promises";
import type { Seed, Seeded } from "@partnerwire/core";
import type { H3Event } from "h3";
import {
	advance,
	refuseAborted,
	type Settling,
	type Steps,
	settle,
} from "./advance.ts";
import { createEmulatorClock, type EmulatorClock } from "./clock.ts";
import {
	type EmulatedService,
	type EmulatedServiceOptions,
	openEmulatedService,
} from "./emulated-service.ts";
import { createFaults, type Faults } from "./faults.ts";
import { findOperation } from "./find-operation.ts";
import { createInboxEntries, type InboxEntries } from "./inbox.ts";
import { drop, injectFault } from "./inject-fault.ts";
import { readFaultHeader } from "./read-fault-header.ts";

export interface EmulatorCoreOptions
	extends Omit<EmulatedServiceOptions, "clock" | "faults" | "entries"> {
	readonly seed: Seed;
	/** Starts the clock frozen at this time. Without it, the clock runs with the system's. */
	readonly startAtMs?: number | undefined;
}

/** The service with the controls for tests. The HTTP routes and `startEmulator` are both built on it. */
export interface EmulatorCore {
	readonly clock: EmulatorClock;
	readonly faults: Faults;
	readonly entries: InboxEntries;
	seeded(): Seeded;
	/** Answers a request to the service, or lets a fault do so. */
	answer(event: H3Event): Promise<unknown>;
	/** Receives a delivery at the inbox of this name. Faults apply there too. */
	receive(name: string, event: H3Event): Promise<unknown>;
	/** Starts again from this seed, or from the one before. */
	reset(seed?: Seed): Promise<Seeded>;
	/** Moves the clock forward, after all earlier calls are done. */
	advance(ms: number): Promise<Settling>;
	/** Changes the clock, after all earlier calls are done, and waits until all due deliveries were attempted. */
	changeClock(change: () => void): Promise<Settling>;
	/** Lets the clock run on, after all earlier calls are done. */
	resume(): Promise<void>;
	close(): Promise<void>;
}

/** How long a reset waits for requests that are still being answered. */
const DRAIN_MS = 2000;

export async function createEmulator(
	options: EmulatorCoreOptions,
): Promise<EmulatorCore> {
	const clock = createEmulatorClock(options.startAtMs);
	const faults = createFaults();
	const entries = createInboxEntries();
	let { seed } = options;
	let opened = 0;
	const open = (from: Seed): Promise<EmulatedService> =>
		openEmulatedService(from, ++opened, { ...options, clock, faults, entries });
	let world = await open(seed);
	world.service.startWorker();

	let ending = new AbortController();
	/** Aborts the steps that move the clock when a reset is requested. The reset itself waits for its turn. */
	let moving = new AbortController();
	let inFlight = 0;
	let onIdle = () => {};
	let isClosed = false;
	/** Changes of the clock and resets run one after the other. */
	let turn: Promise<unknown> = Promise.resolve();
	/** Requests wait only for a reset. While the clock moves, a receiver may still call the API. */
	let resetting: Promise<unknown> = Promise.resolve();

	function inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
		const done = turn.catch(() => {}).then(run);
		turn = done;
		return done;
	}

	/** Runs a step of the clock. Throws a 409 if a reset comes first, even before the step has begun. */
	function step<Result>(run: (steps: Steps) => Promise<Result>) {
		const { signal } = moving;
		return inTurn(async () => {
			refuseAborted(signal);
			const { service, late } = world;
			try {
				return await run({ service, late, clock, signal });
			} finally {
				// If a reset broke the step, the error says so.
				refuseAborted(signal);
			}
		});
	}

	async function untilIdle(): Promise<void> {
		if (inFlight === 0) return;
		const idle = new Promise<void>((resolve) => {
			onIdle = resolve;
		});
		await Promise.race([idle, wait(DRAIN_MS, undefined, { ref: false })]);
	}

	async function withFaults(
		event: H3Event,
		run: () => Promise<unknown>,
	): Promise<unknown> {
		const { method, headers } = event.req;
		const path = event.url.pathname;
		const operationId = findOperation(method, path);
		const fault =
			readFaultHeader(headers) ??
			faults.ofRequest({ method, path, operationId });
		return fault ? injectFault(fault, event, run, ending.signal) : run();
	}

	async function restart(next: Seed): Promise<Seeded> {
		// Opened first, so that an unusable seed changes nothing.
		const fresh = await open(next);
		ending.abort();
		await untilIdle();
		await world.close();
		clock.reset();
		faults.clear();
		entries.clear();
		ending = new AbortController();
		seed = next;
		world = fresh;
		world.service.startWorker();
		return world.seeded;
	}

	return {
		clock,
		faults,
		entries,
		seeded: () => world.seeded,
		async answer(event) {
			await resetting.catch(() => {});
			inFlight++;
			try {
				return await withFaults(event, async () =>
					isClosed ? drop(event) : world.app.fetch(event.req),
				);
			} finally {
				if (--inFlight === 0) onIdle();
			}
		},
		// Does not wait for a reset: the reset waits for attempts under way, which end here.
		async receive(name, event) {
			const answer = await withFaults(event, async () =>
				isClosed ? drop(event) : world.receive(name, event.req),
			);
			// Attempts record the headers of the answer: its date must be the emulator's time.
			if (answer instanceof Response)
				answer.headers.set("date", new Date(clock()).toUTCString());
			return answer;
		},
		reset(next = seed) {
			moving.abort();
			moving = new AbortController();
			const done = inTurn(() => restart(next));
			resetting = done;
			return done;
		},
		advance: (ms) => step((steps) => advance(steps, ms)),
		changeClock: (change) =>
			step((steps) => {
				change();
				return settle(steps);
			}),
		resume: () => step(async () => clock.resume()),
		async close() {
			isClosed = true;
			moving.abort();
			ending.abort();
			entries.close();
			await turn.catch(() => {});
			await untilIdle();
			await world.close();
		},
	};
}
