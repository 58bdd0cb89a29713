import {
	createReceiver,
	type EventContext,
	type Observation,
	type Receiver,
} from "@partnerwire/receiver";
import { explain } from "@partnerwire/receiver/explain";
import { createTestClock, type TestClock } from "@partnerwire/receiver/testing";
import type { Adapter, Mounted } from "#kit/endpoints/fetch-adapters.ts";
import type { Answer, Shot } from "#kit/endpoints/shot.ts";
import { NOW_MS, SECRET } from "#kit/endpoints/tokens.ts";
import type { Options } from "../cases/case.ts";

export const IS_WORKER =
	globalThis.navigator?.userAgent === "Cloudflare-Workers";

/** A mounted receiver with everything that a case checks. */
export interface World {
	receiver: Receiver;
	clock: TestClock;
	send(shot?: Shot): Promise<Answer>;
	/** The contexts of the handler's runs. */
	runs: EventContext[];
	/** The handler's work. By default it returns at once. */
	work: (context: EventContext) => unknown;
	seen: Observation[];
	/** Resolves after this many bodies were read and their immediate work is done. Only for sockets. */
	read(count: number): Promise<void>;
	log: string[];
	/** The errors that `onError` got. The console stays quiet. */
	errors: unknown[];
	close(): Promise<void>;
}

/** A Worker takes the function in the place of `explain: true` (docs/receiver.md). */
function toReceiverOptions(options: Options, clock: TestClock) {
	const all = typeof options === "function" ? options(clock) : options;
	return IS_WORKER && all.explain ? { ...all, explain } : all;
}

/** Mounts a receiver with a handler for every event on an adapter. */
export async function openWorld(
	adapter: Pick<Adapter, "open">,
	options: Options = {},
): Promise<World> {
	const clock = createTestClock(NOW_MS);
	const runs: EventContext[] = [];
	const seen: Observation[] = [];
	const log: string[] = [];
	const errors: unknown[] = [];
	const receiver = createReceiver({
		secret: SECRET,
		clock: clock.now,
		log: (message) => log.push(message),
		onError: (error) => errors.push(error),
		onVerdict: (observation) => seen.push(observation),
		...toReceiverOptions(options, clock),
	}).on("*", (context) => {
		runs.push(context);
		return world.work(context);
	});
	let bodiesRead = 0;
	const watched: Receiver = {
		...receiver,
		handle: (incoming) =>
			receiver.handle({
				...incoming,
				body() {
					const body = incoming.body();
					if (body.kind !== "stream") {
						bodiesRead++;
						return body;
					}
					const read = async (maxBytes: number) => {
						const bytes = await body.read(maxBytes);
						bodiesRead++;
						return bytes;
					};
					return { ...body, read };
				},
			}),
	};
	const turn = () => new Promise((resolve) => setImmediate(resolve));
	const mounted: Mounted = await adapter.open(watched);
	const world: World = {
		receiver,
		clock,
		send: (shot = {}) => mounted.send(shot),
		runs,
		work: () => {},
		seen,
		async read(count) {
			while (bodiesRead < count) await turn();
			await turn();
		},
		log,
		errors,
		close: mounted.close,
	};
	return world;
}
