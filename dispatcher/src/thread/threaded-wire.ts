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

/** A thread that dies again and again is started again after ever longer, up to this. */
const LONGEST_REST_MS = 10_000;

// By the package's name: a thread takes no TypeScript, and beside a bundle there is no such file.
const findProgram = () => {
	const entry = createRequire(import.meta.url).resolve(
		"@partnerwire/dispatcher",
	);
	return join(dirname(entry), "../dist/thread/wire-thread.js");
};

/** It also looks at webhook URLs, as a probe does, in its thread. */
export type ThreadedWire = Wire & Pick<Probe, "look">;

/**
 * A wire that signs and sends in a thread of its own, which starts with the first attempt: requests of the API and writes of
 * the database do not wait for it. Should the thread die, attempts under way reject, and the next one starts another.
 *
 * @throws TypeError for options that `createWire` refuses.
 */
export const createThreadedWire = (
	options: ThreadedWireOptions = {},
): ThreadedWire => sendFrom(findProgram(), options);

/** The same with another program for the thread, for tests of one that dies. */
export function sendFrom(
	program: string,
	options: ThreadedWireOptions,
): ThreadedWire {
	// Here the caller sees what is refused.
	const like = createWire(options);
	void like.close();
	const closing = new AbortController();
	const { signal } = closing;
	let sender: Sender | undefined;
	let resting: Promise<Sender> | undefined;
	/** How often in a row a thread was started that has made no attempt. */
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
