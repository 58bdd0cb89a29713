import { SHARE_ENV, Worker } from "node:worker_threads";
import type { AttemptResult } from "../http/attempt-result.ts";
import type { AttemptRequest, WireOptions } from "../http/wire.ts";
import type { ProbeResult } from "../probe/report.ts";
import { secretsOf } from "../sign/mask-claims.ts";
import { createBatcher } from "./batcher.ts";
import type { Answer, Job, Numbered, Order, Outcome } from "./messages.ts";

/** Functions cannot go to another thread: it goes by the system's clock, and resolves names as every wire does. */
export type ThreadedWireOptions = Omit<WireOptions, "clock" | "resolve">;

/** A thread that sends. */
export interface Sender {
	readonly isAlive: boolean;
	/** Whether it has ever done anything. */
	readonly isProven: boolean;
	attempt(request: AttemptRequest): Promise<AttemptResult>;
	look(url: string): Promise<ProbeResult>;
	/** Resolves when all attempts are over. */
	close(graceMs: number | undefined): Promise<void>;
}

/** Whoever waits for an outcome. */
interface Waiting {
	resolve(result: AttemptResult | ProbeResult): void;
	reject(error: unknown): void;
}

/** Of the process's own flags: the others say how to load its program, which is another one. */
const TLS_VERSIONS = /^--tls-(min|max)-v1\.\d$/;

export function startSender(
	program: string,
	options: ThreadedWireOptions,
): Sender {
	const thread = new Worker(program, {
		workerData: toPlain(options),
		execArgv: process.execArgv.filter((flag) => TLS_VERSIONS.test(flag)),
		// An attempt's garbage is young: the less often it is collected, the less of it is still in use then.
		resourceLimits: { maxYoungGenerationSizeMb: 48 },
		// A copy has names of one case only on Windows.
		env: SHARE_ENV,
	});
	// It keeps the process alive for as long as an attempt or its end matters.
	thread.unref();
	const waiting = new Map<number, Waiting>();
	let lastId = 0;
	let isAlive = true;
	let isProven = false;
	let isClosing = false;
	let onEnd = () => {};
	const ended = new Promise<void>((resolve) => {
		onEnd = resolve;
	});
	const tell = (order: Order) => thread.postMessage(order);
	const orders = createBatcher<Numbered>((jobs) => {
		try {
			tell({ kind: "jobs", jobs });
		} catch (error) {
			for (const { id } of jobs) take({ id, error });
		}
	});

	function take(outcome: Outcome): void {
		const one = waiting.get(outcome.id);
		waiting.delete(outcome.id);
		if ("result" in outcome) one?.resolve(outcome.result);
		else one?.reject(outcome.error);
		if (waiting.size === 0 && !isClosing) thread.unref();
	}
	thread.on("message", (answer: Answer) => {
		if (answer === "closed") return onEnd();
		isProven = true;
		for (const outcome of answer) take(outcome);
	});
	let fault: unknown = new Error("the thread that sends has ended");
	thread.on("error", (error) => {
		fault = error;
	});
	thread.once("exit", () => {
		isAlive = false;
		for (const id of waiting.keys()) take({ id, error: fault });
		onEnd();
	});

	const order = (job: Job) =>
		new Promise<AttemptResult | ProbeResult>((resolve, reject) => {
			const numbered = { id: ++lastId, job };
			if (waiting.size === 0) thread.ref();
			waiting.set(numbered.id, { resolve, reject });
			orders.add(numbered);
		});

	return {
		get isAlive() {
			return isAlive;
		},
		get isProven() {
			return isProven;
		},
		// What comes back under a job's id is what the job asked for.
		attempt: (request) =>
			order({ request: toSendable(request) }) as Promise<AttemptResult>,
		look: (url) => order({ look: url }) as Promise<ProbeResult>,
		async close(graceMs) {
			isClosing = true;
			thread.ref();
			orders.flush();
			tell({ kind: "close", graceMs });
			await ended;
			thread.unref();
			// Not waited for: a host name that is being looked up cannot be given up.
			void thread.terminate();
		},
	};
}

/** Nothing but text and bytes of its own: what a caller put into the claims besides might not be what a message may hold. */
const toSendable = (request: AttemptRequest): AttemptRequest => {
	if (!("token" in request)) return request;
	const { url, token, body, claims, secrets = [] } = request;
	return {
		url,
		token,
		body: new Uint8Array(body),
		secrets: [...secrets, ...(claims ? secretsOf(claims) : [])],
	};
};

const OPTIONS: Readonly<Record<keyof ThreadedWireOptions, true>> = {
	allowHttp: true,
	allowPrivate: true,
	allowedNetworks: true,
	ca: true,
	connectTimeoutMs: true,
	answerTimeoutMs: true,
	connections: true,
	maxOrigins: true,
};

/** The options and nothing else, for the same reason. */
const toPlain = (options: ThreadedWireOptions) =>
	Object.fromEntries(
		Object.entries(options).filter(([name]) => Object.hasOwn(OPTIONS, name)),
	);
