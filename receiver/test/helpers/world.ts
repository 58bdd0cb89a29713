import {
	createReceiver,
	type EventContext,
	type Observation,
	type Receiver,
	type ReceiverOptions,
} from "@partnerwire/receiver";
import { createTestClock, type TestClock } from "@partnerwire/receiver/testing";
import type { Adapter, Mounted } from "./adapters.ts";
import type { Answer, Shot } from "./shot.ts";
import { NOW_MS, SECRET } from "./tokens.ts";

/** A mounted receiver with everything a case looks at. */
export interface World {
	receiver: Receiver;
	clock: TestClock;
	send(shot?: Shot): Promise<Answer>;
	/** The contexts of the handler's runs. */
	runs: EventContext[];
	/** What the handler does; returns at once unless set. */
	work: (context: EventContext) => unknown;
	seen: Observation[];
	log: string[];
	close(): Promise<void>;
}

/** Mounts a receiver with a handler for every event on an adapter. */
export async function openWorld(
	adapter: Pick<Adapter, "open">,
	options: Partial<ReceiverOptions> = {},
): Promise<World> {
	const clock = createTestClock(NOW_MS);
	const runs: EventContext[] = [];
	const seen: Observation[] = [];
	const log: string[] = [];
	const receiver = createReceiver({
		secret: SECRET,
		clock: clock.now,
		log: (message) => log.push(message),
		onVerdict: (observation) => seen.push(observation),
		...options,
	}).on("*", (context) => {
		runs.push(context);
		return world.work(context);
	});
	const mounted: Mounted = await adapter.open(receiver);
	const world: World = {
		receiver,
		clock,
		send: (shot = {}) => mounted.send(shot),
		runs,
		work: () => {},
		seen,
		log,
		close: mounted.close,
	};
	return world;
}
