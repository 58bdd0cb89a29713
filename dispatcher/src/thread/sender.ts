import { SHARE_ENV, Worker } from "node:worker_threads";
import type { AttemptResult } from "../http/attempt-result.ts";
import type { AttemptRequest, WireOptions } from "../http/wire.ts";
import type { ProbeResult } from "../probe/report.ts";
import { secretsOf } from "../sign/mask-claims.ts";
import { createBatcher } from "./batcher.ts";
import type { Answer, Job, Numbered, Order, Outcome } from "./messages.ts";

/** The options of a threaded wire. It uses the system's clock and resolver, because functions cannot be sent to a thread. */
export type ThreadedWireOptions = Omit<WireOptions, "clock" | "resolve">;

/** A thread that sends webhooks. */
export interface Sender {
	readonly isAlive: boolean;
	/** Whether it has completed any job. */
	readonly isProven: boolean;
	attempt(request: AttemptRequest): Promise<AttemptResult>;
	look(url: string): Promise<ProbeResult>;
	/** Resolves when all attempts are over. */
	close(graceMs: number | undefined): Promise<void>;
}

/** The promise that waits for a job's outcome. */
interface Waiting {
	resolve(result: AttemptResult | ProbeResult): void;
	reject(error: unknown): void;
}

/** The flags that the thread takes over from the process. The others say how to load the process's program. */
const TLS_VERSIONS = /^--tls-(min|max)-v1\.\d$/;

export function startSender(
	program: string,
	options: ThreadedWireOptions,
): Sender {
	const thread = new Worker(program, {
		workerData: toPlain(options),
		execArgv: process.execArgv.filter((flag) => TLS_VERSIONS.test(flag)),
		// An attempt's objects die young. The rarer the collections, the fewer of them are still in use then.
		resourceLimits: { maxYoungGenerationSizeMb: 48 },
		// On Windows, only the shared environment ignores the case of names; a copy does not.
		env: SHARE_ENV,
	});
	// The thread keeps the process alive only while somebody waits for an attempt or for its end.
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
		const job = waiting.get(outcome.id);
		waiting.delete(outcome.id);
		if ("result" in outcome) job?.resolve(outcome.result);
		else job?.reject(outcome.error);
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
		// The cast is true: the outcome with a job's id is of the job's kind.
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
			// Not awaited: the lookup of a host name cannot be cancelled.
			void thread.terminate();
		},
	};
}

/** Copies the known members, texts and bytes. Other members that a caller added to the claims may not be cloneable. */
const toSendable = (request: AttemptRequest): AttemptRequest => {
	if (!("token" in request)) return request;
	const { url, token, body, claims, secrets = [], headers = {} } = request;
	return {
		url,
		token,
		body: new Uint8Array(body),
		headers,
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

/** Copies the known options, for the same reason. */
const toPlain = (options: ThreadedWireOptions) =>
	Object.fromEntries(
		Object.entries(options).filter(([name]) => Object.hasOwn(OPTIONS, name)),
	);
