import {
	addKeyFileHint,
	type Core,
	countUnbalanced,
	createCipher,
	createCore,
	finishChanges,
	loadSecretKey,
	openStore,
	passFailingHeads,
	type Random,
	type ReplicaChange,
	removeExpired,
	removeOldAlerts,
	runReplays,
	type Store,
	withRandom,
} from "@partnerwire/core";
import {
	createWire,
	openProbe,
	type Probe,
	type Wire,
	type WireOptions,
} from "@partnerwire/dispatcher";
import {
	startWorker,
	type TokenOptions,
	type Worker,
	type WorkerLoad,
} from "@partnerwire/dispatcher/worker";
import { type AlertOptions, createAlerts } from "./alerts.ts";
import {
	type Maintenance,
	type MaintenanceJob,
	startMaintenance,
} from "./maintenance.ts";
import { createPorts } from "./ports.ts";

export interface ServiceOptions {
	/** The path of a SQLite database, or a `postgres://` URL. */
	readonly database: string;
	/** 32 bytes as hex or base64; without it the key file beside the SQLite database. */
	readonly secretKey?: string | undefined;
	readonly allowHttp?: boolean;
	readonly allowPrivate?: boolean;
	/** CIDR blocks that may be called although they are private or reserved. */
	readonly allowedNetworks?: readonly string[];
	/** Certificate authorities (PEM) trusted besides the usual ones. */
	readonly ca?: string | undefined;
	/** Which additive claims are sent, and how long tokens are valid. */
	readonly token?: Partial<TokenOptions>;
	/** Seconds before each attempt. */
	readonly retrySchedule?: readonly number[] | undefined;
	/** How long a failing delivery holds up its lane (docs/decisions.md#order). */
	readonly passAfterMs?: number | undefined;
	/** How long delivered and dropped deliveries are kept; 0 keeps them forever (docs/decisions.md#retention). */
	readonly retentionMs?: number;
	/** Simultaneous attempts, over all integrations and for one of them (docs/decisions.md#fairness). */
	readonly concurrency?: number | undefined;
	readonly perIntegration?: number | undefined;
	readonly clock?: () => number;
	/** The random source of ids and secrets; by default the system's. */
	readonly random?: Random | undefined;
	/** The random source of ids that are written without a request; by default `random`. */
	readonly backgroundRandom?: Random | undefined;
	/** The jitter of retries, from 0 to 1; 0.5 means none. */
	readonly jitter?: (() => number) | undefined;
	/**
	 * Opens the HTTP client of deliveries; by default `createWire`. `createThreadedWire` sends from another thread, by the
	 * system's clock, and leaves this one to the database and the API. A wire that can probe URLs is also used for that.
	 */
	readonly openWire?: OpenWire;
	/** How often to look for due deliveries. */
	readonly pollMs?: number | undefined;
	/** How long attempts in flight may take when the service stops. */
	readonly drainMs?: number;
	readonly onFault?: (error: unknown) => void;
	readonly onAttempt?: Parameters<typeof startWorker>[0]["onAttempt"];
	/** Called with the number of writes of each committed batch. */
	readonly onBatch?: (writes: number) => void;
	/** Called after each check of the ledgers, with the number of those that do not add up. */
	readonly onLedgerChecked?: (unbalanced: number, nowMs: number) => void;
	/** Watches the integrations for alerts, in a process that delivers. */
	readonly alerts?: AlertOptions | undefined;
	/** Reads lists from the database's read replica, if it has one, and hears when that begins or ceases. */
	readonly onReplicaChange?: ((change: ReplicaChange) => void) | undefined;
	/** The longest that a batch of writes may take. */
	readonly maxBatchMs?: number;
}

type OpenWire = (options: WireOptions) => Wire & Partial<Pick<Probe, "look">>;

/** The database, the core on it, and the connections to receivers. */
export interface Service {
	readonly core: Core;
	readonly store: Store;
	readonly wire: Wire;
	startWorker(): Worker;
	/** How busy all its workers are together. */
	workerLoad(): WorkerLoad;
	/** Runs the work of all timers now, for a clock that jumped. */
	catchUp(): Promise<void>;
	/** Stops the workers, waits for attempts and writes in flight, and closes the database. */
	close(): Promise<void>;
}

/** The step of replays. Their rate follows the clock; a shorter step makes it more even. */
const REPLAY_MS = 50;
const RETENTION_MS = 3_600_000;
const LEDGER_MS = 600_000;
const DAY_MS = 24 * 3_600_000;

/** Connections to one origin: as many as simultaneous attempts. */
const CONNECTIONS = 256;

/** How long attempts in flight may take when the service stops. */
const DRAIN_MS = 12_000;

/** Opens everything below HTTP. Throws a `StorageError` or `SecretKeyError` of one sentence. */
export async function openService(options: ServiceOptions): Promise<Service> {
	const o = {
		allowHttp: false,
		allowPrivate: false,
		allowedNetworks: [],
		token: {},
		retentionMs: 30 * DAY_MS,
		clock: () => Date.now(),
		drainMs: DRAIN_MS,
		openWire: createWire as OpenWire,
		onFault: () => {},
		onLedgerChecked: () => {},
		...options,
	};
	const key = loadSecretKey(o.database, o.secretKey);
	// A wire opens no connection before the first attempt, so nothing has to be closed if the rest fails.
	const wire = o.openWire({ ...o, connections: o.concurrency ?? CONNECTIONS });
	const store = await openStore(o.database, {
		...(o.onBatch && { onBatch: o.onBatch }),
		...(o.maxBatchMs !== undefined && { maxBatchMs: o.maxBatchMs }),
		...(o.random && { random: o.random }),
		replica: o.onReplicaChange && { onChange: o.onReplicaChange },
	});
	/** The store for writes without a request: its ids come from a random source of their own. */
	const background = o.backgroundRandom
		? withRandom(store, o.backgroundRandom)
		: store;
	const cipher = createCipher(key);
	const probe = openProbe(o);
	const workers: Worker[] = [];
	let chores: Maintenance | undefined;
	const alerts = o.alerts && createAlerts(background, o.clock, o.alerts);
	const list: MaintenanceJob[] = [
		...(alerts?.chores ?? []),
		{
			everyMs: REPLAY_MS,
			run: (signal) => runReplays(background, o.clock(), signal),
		},
		{
			everyMs: REPLAY_MS,
			run: (signal) => finishChanges(background, o.clock(), signal),
		},
		{
			everyMs: RETENTION_MS,
			run: async (signal) => {
				if (o.retentionMs === 0) return;
				await removeExpired(background, o.clock() - o.retentionMs, { signal });
				await removeOldAlerts(background, o.clock() - o.retentionMs);
			},
		},
		{
			everyMs: LEDGER_MS,
			run: async (signal) =>
				o.onLedgerChecked(await countUnbalanced(background, signal), o.clock()),
		},
	];
	try {
		const core = await createCore({
			store,
			cipher,
			ports: createPorts(
				{ wire, look: wire.look ?? probe.look },
				o,
				o.clock,
				o.token,
			),
			clock: o.clock,
		}).catch((error) => {
			throw addKeyFileHint(error, o.database);
		});
		return {
			core,
			store,
			wire,
			startWorker() {
				const { retrySchedule, passAfterMs, onAttempt } = o;
				const { concurrency, perIntegration, pollMs, jitter } = o;
				const worker = startWorker({
					store: background,
					cipher,
					wire,
					token: o.token,
					clock: o.clock,
					onFault: o.onFault,
					...(concurrency !== undefined && { concurrency }),
					...(perIntegration !== undefined && { perIntegration }),
					...(passAfterMs !== undefined && { passAfterMs }),
					...(retrySchedule && { retrySchedule }),
					...(pollMs !== undefined && { pollMs }),
					...(jitter && { random: jitter }),
					...(onAttempt && { onAttempt }),
				});
				workers.push(worker);
				chores ??= startMaintenance(list, o.onFault);
				return worker;
			},
			workerLoad() {
				const sum = {
					inFlight: 0,
					waiting: 0,
					concurrency: 0,
					isTroubled: false,
				};
				for (const worker of workers) {
					const load = worker.load();
					sum.inFlight += load.inFlight;
					sum.waiting += load.waiting;
					sum.concurrency += load.concurrency;
					sum.isTroubled ||= load.isTroubled;
				}
				return sum;
			},
			async catchUp() {
				await chores?.runAll();
				await passFailingHeads(background, o.clock());
				store.wake();
			},
			async close() {
				probe.close();
				const stopped = Promise.all([
					chores?.stop(),
					...workers.map((worker) => worker.stop()),
				]);
				const grace = { graceMs: o.drainMs };
				await Promise.all([wire.close(grace), alerts?.close(grace)]);
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
