import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import type { AttemptResult } from "../attempt-result.ts";
import {
	type AttemptRequest,
	createWire,
	type Wire,
	type WireOptions,
} from "../wire.ts";
import type { Numbered, Order, Outcome } from "./messages.ts";
import { together } from "./together.ts";

/** Functions cannot go to another thread: it goes by the system's clock, and resolves names as every wire does. */
export type ThreadedWireOptions = Omit<WireOptions, "clock" | "resolve">;

// By its name: a thread takes no TypeScript, and beside a bundle there is no such file.
const findProgram = () =>
	createRequire(import.meta.url).resolve("@partnerwire/dispatcher/wire-thread");

/**
 * A wire that signs and sends in a thread of its own, which starts with the first attempt: requests of the API and writes of
 * the database do not wait for it. Should the thread die, attempts under way reject, and the next one starts another.
 *
 * @throws TypeError for options that `createWire` refuses.
 */
export const createThreadedWire = (options: ThreadedWireOptions = {}): Wire =>
	sendFrom(findProgram(), options);

/** The same with another program for the thread, for tests of one that dies. */
export function sendFrom(program: string, options: ThreadedWireOptions): Wire {
	// Here the caller sees what is refused.
	const like = createWire(options);
	void like.close();
	let sender: Sender | undefined;
	let isClosed = false;

	return {
		async attempt(request) {
			if (isClosed) throw new Error("the wire is closed");
			if (!sender?.isAlive) sender = startSender(program, options);
			return sender.attempt(request);
		},
		maxAttemptMs: like.maxAttemptMs,
		async close({ graceMs } = {}) {
			isClosed = true;
			await sender?.close(graceMs);
		},
	};
}

/** A thread that sends. */
interface Sender {
	readonly isAlive: boolean;
	attempt(request: AttemptRequest): Promise<AttemptResult>;
	/** Resolves when it has ended. */
	close(graceMs: number | undefined): Promise<void>;
}

/** Whoever waits for an outcome. */
interface Waiting {
	resolve(result: AttemptResult): void;
	reject(error: unknown): void;
}

function startSender(program: string, options: ThreadedWireOptions): Sender {
	const thread = new Worker(program, {
		workerData: toPlain(options),
		// The process's flags say how to load its program, not this one.
		execArgv: [],
	});
	// It keeps the process alive for as long as an attempt or its end matters.
	thread.unref();
	let isClosing = false;
	const waiting = new Map<number, Waiting>();
	let lastId = 0;
	let isAlive = true;
	const tell = (order: Order) => thread.postMessage(order);
	const orders = together<Numbered>((attempts) =>
		tell({ kind: "attempts", attempts }),
	);

	const take = (outcome: Outcome) => {
		const one = waiting.get(outcome.id);
		waiting.delete(outcome.id);
		if ("result" in outcome) one?.resolve(outcome.result);
		else one?.reject(outcome.error);
	};
	thread.on("message", (outcomes: readonly Outcome[]) => {
		for (const outcome of outcomes) take(outcome);
		if (waiting.size === 0 && !isClosing) thread.unref();
	});
	let fault: unknown = new Error("the thread that sends has ended");
	thread.on("error", (error) => {
		fault = error;
	});
	const ended = new Promise<void>((resolve) => {
		thread.once("exit", () => {
			isAlive = false;
			for (const id of waiting.keys()) take({ id, error: fault });
			resolve();
		});
	});

	return {
		get isAlive() {
			return isAlive;
		},
		attempt: (request) =>
			new Promise((resolve, reject) => {
				const id = ++lastId;
				if (waiting.size === 0) thread.ref();
				waiting.set(id, { resolve, reject });
				orders.add({ id, request });
			}),
		async close(graceMs) {
			orders.flush();
			isClosing = true;
			thread.ref();
			tell({ kind: "close", graceMs });
			await ended;
		},
	};
}

/** The options and nothing else: what a caller passes on besides might not be what a message may hold. */
const toPlain = ({
	allowHttp,
	allowPrivate,
	allowedNetworks,
	ca,
	connectTimeoutMs,
	answerTimeoutMs,
	connections,
	maxOrigins,
}: ThreadedWireOptions): ThreadedWireOptions =>
	({
		allowHttp,
		allowPrivate,
		allowedNetworks,
		ca,
		connectTimeoutMs,
		answerTimeoutMs,
		connections,
		maxOrigins,
	}) as ThreadedWireOptions;
