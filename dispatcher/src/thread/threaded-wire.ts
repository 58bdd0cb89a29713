import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createWire, type Wire } from "../http/wire.ts";
import type { Probe } from "../probe/probe.ts";
import {
	type Sender,
	startSender,
	type ThreadedWireOptions,
} from "./sender.ts";

/** The longest pause before a thread that dies repeatedly is started again. The pauses grow up to this. */
const LONGEST_REST_MS = 10_000;

// Found by the package's name: a thread cannot run TypeScript, and a bundle has no such file beside it.
const findProgram = () => {
	const entry = createRequire(import.meta.url).resolve(
		"@partnerwire/dispatcher",
	);
	return join(dirname(entry), "../dist/thread/wire-thread.js");
};

/** A wire whose thread also probes webhook URLs. */
export type ThreadedWire = Wire & Pick<Probe, "look">;

/**
 * A wire that signs and sends in a thread of its own, so that API requests and database writes do not wait for it. The first attempt
 * starts the thread. If the thread dies, attempts in flight reject, and the next attempt starts another thread.
 *
 * @throws TypeError for options that `createWire` refuses.
 */
export const createThreadedWire = (
	options: ThreadedWireOptions = {},
): ThreadedWire => sendFrom(findProgram(), options);

/** The same with another program for the thread, for tests in which it dies. */
export function sendFrom(
	program: string,
	options: ThreadedWireOptions,
): ThreadedWire {
	// Checks the options here, so that the caller gets the error.
	const like = createWire(options);
	void like.close();
	const closing = new AbortController();
	const { signal } = closing;
	let sender: Sender | undefined;
	let resting: Promise<Sender> | undefined;
	/** The number of threads in a row that ended without completing a job. */
	let starts = 0;

	function start(): Sender {
		if (signal.aborted) throw new Error("the wire is closed");
		resting = undefined;
		sender = undefined;
		starts++;
		sender = startSender(program, options);
		return sender;
	}

	function aliveSender(): Sender | Promise<Sender> {
		if (sender?.isAlive) return sender;
		if (resting) return resting;
		if (sender?.isProven) starts = 0;
		if (starts < 2) return start();
		const restMs = Math.min(100 * 2 ** starts, LONGEST_REST_MS);
		resting = sleep(restMs, undefined, { signal }).then(start, start);
		return resting;
	}

	return {
		async attempt(request) {
			if (signal.aborted) throw new Error("the wire is closed");
			const alive = aliveSender();
			return (alive instanceof Promise ? await alive : alive).attempt(request);
		},
		async look(url) {
			if (signal.aborted) throw new Error("the wire is closed");
			return (await aliveSender()).look(url);
		},
		maxAttemptMs: like.maxAttemptMs,
		async close({ graceMs } = {}) {
			closing.abort();
			await sender?.close(graceMs);
		},
	};
}
