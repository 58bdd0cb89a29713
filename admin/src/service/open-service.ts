import {
	type Core,
	createCipher,
	createCore,
	loadSecretKey,
	openSqliteStore,
	type Store,
} from "@partnerwire/core";
import { createWire, type Wire } from "@partnerwire/dispatcher";
import { startWorker, type Worker } from "@partnerwire/dispatcher/worker";
import { createPorts } from "./ports.ts";

export interface ServiceOptions {
	/** The path of the SQLite database. */
	readonly database: string;
	/** 32 bytes as hex or base64; without it the key file beside the database. */
	readonly secretKey?: string | undefined;
	readonly allowHttp?: boolean;
	readonly allowPrivate?: boolean;
	readonly allowedNetworks?: readonly string[];
	/** Seconds before each attempt. */
	readonly retrySchedule?: readonly number[] | undefined;
	readonly clock?: () => number;
	readonly onFault?: (error: unknown) => void;
	readonly onAttempt?: Parameters<typeof startWorker>[0]["onAttempt"];
	/** Called with the number of writes of each committed batch. */
	readonly onBatch?: (writes: number) => void;
}

/** The database, the core on it, and the connections to receivers. */
export interface Service {
	readonly core: Core;
	readonly store: Store;
	readonly wire: Wire;
	startWorker(): Worker;
	/** Stops the workers, waits for attempts and writes in flight, and closes the database. */
	close(): Promise<void>;
}

/** How long attempts in flight may take when the service stops (design §3: SIGTERM). */
const DRAIN_MS = 12_000;

/** Opens everything below HTTP. Throws a `StorageError` or `SecretKeyError` of one sentence. */
export async function openService(options: ServiceOptions): Promise<Service> {
	const o = {
		allowHttp: false,
		allowPrivate: false,
		allowedNetworks: [],
		clock: Date.now,
		onFault: () => {},
		...options,
	};
	const key = loadSecretKey(o.database, o.secretKey);
	const store = openSqliteStore(o.database, { onBatch: o.onBatch });
	const cipher = createCipher(key);
	const wire = createWire(o);
	const workers: Worker[] = [];
	try {
		const core = await createCore({
			store,
			cipher,
			ports: createPorts(wire, o, o.clock),
			clock: o.clock,
		});
		return {
			core,
			store,
			wire,
			startWorker() {
				const { retrySchedule, clock, onAttempt, onFault } = o;
				const worker = startWorker({
					store,
					cipher,
					wire,
					clock,
					onFault,
					...(retrySchedule && { retrySchedule }),
					...(onAttempt && { onAttempt }),
				});
				workers.push(worker);
				return worker;
			},
			async close() {
				const stopped = Promise.all(workers.map((worker) => worker.stop()));
				await wire.close({ graceMs: DRAIN_MS });
				await stopped;
				await store.close();
			},
		};
	} catch (error) {
		await wire.close();
		await store.close();
		throw error;
	}
}
