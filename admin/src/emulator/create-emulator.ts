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
	/** The clock stands still at this time; without it, it runs with the system's. */
	readonly startAtMs?: number | undefined;
}

/** The service with what a test wants to do to it; below HTTP and the package's own interface alike. */
export interface EmulatorCore {
	readonly clock: EmulatorClock;
	readonly faults: Faults;
	readonly entries: InboxEntries;
	seeded(): Seeded;
	/** Answers a request to the service, or lets a fault do so. */
	answer(event: H3Event): Promise<unknown>;
	/** Takes a delivery at the inbox of this name; faults strike there too. */
	receive(name: string, event: H3Event): Promise<unknown>;
	/** Begins anew: from this seed, or from the one before. */
	reset(seed?: Seed): Promise<Seeded>;
	/** Moves the clock on, after what was asked for before. */
	advance(ms: number): Promise<Settling>;
	/** Changes the clock and waits until what is due then was attempted, after what was asked for before. */
	changeClock(change: () => void): Promise<Settling>;
	/** Lets the clock run on, after what was asked for before. */
	resume(): Promise<void>;
	close(): Promise<void>;
}

/** What a request that is still being answered may hold a reset up. */
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
	/** Ends what moves the clock: when a reset is asked for, which then waits for its turn. */
	let moving = new AbortController();
	let inFlight = 0;
	let onIdle = () => {};
	let isClosed = false;
	/** What is done to the world, one after the other. */
	let turn: Promise<unknown> = Promise.resolve();
	/** Requests wait for a reset alone: a receiver may ask the API while the clock moves on. */
	let resetting: Promise<unknown> = Promise.resolve();

	function inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
		const done = turn.catch(() => {}).then(run);
		turn = done;
		return done;
	}

	/** A step of the clock; what a reset overtakes, even before it began, is refused. */
	function step<Result>(run: (steps: Steps) => Promise<Result>) {
		const { signal } = moving;
		return inTurn(async () => {
			refuseAborted(signal);
			const { service, late } = world;
			try {
				return await run({ service, late, clock, signal });
			} finally {
				// What broke because the world ended is told as that.
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
		// Opened first: a seed that cannot be used leaves everything as it was.
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
		// Not held up by a reset, which waits for attempts under way.
		async receive(name, event) {
			const answer = await withFaults(event, async () =>
				isClosed ? drop(event) : world.receive(name, event.req),
			);
			// Attempts keep the headers that came: these say the emulator's time too.
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
			await turn.catch(() => {});
			await untilIdle();
			await world.close();
		},
	};
}
