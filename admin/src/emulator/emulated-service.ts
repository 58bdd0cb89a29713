import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import {
	createSeededRandom,
	type Seed,
	type Seeded,
	seedCompany,
} from "@partnerwire/core";
import { createWire } from "@partnerwire/dispatcher";
import { RETRY_SCHEDULE } from "@partnerwire/dispatcher/worker";
import type { H3 } from "h3";
import { createDashboard } from "../dashboard/dashboard.ts";
import { createApp } from "../service/app.ts";
import {
	openService,
	type Service,
	type ServiceOptions,
} from "../service/open-service.ts";
import type { EmulatorClock } from "./clock.ts";
import { disturbWire } from "./disturb-wire.ts";
import type { Faults } from "./faults.ts";
import type { InboxEntries } from "./inbox.ts";
import { createInboxReceiver } from "./inbox-receiver.ts";
import { createLateCopies, type LateCopies } from "./late-copies.ts";

/** The creation time of the seed's records, so that they are the same at every start. */
const SEEDED_AT_MS = Date.UTC(2026, 0, 1);
/** The start time of background ids. It is later than that of requests: ids advance by milliseconds. */
const BACKGROUND_AT_MS = Date.UTC(2027, 0, 1);
const RANDOM_SEED = "partnerwire emulator";

/** The service's options that an emulator passes on unchanged. */
export type DeliverOptions = Pick<
	ServiceOptions,
	"token" | "passAfterMs" | "retentionMs" | "concurrency" | "perIntegration"
>;

export interface EmulatedServiceOptions {
	/** The folder of the database. */
	readonly folder: string;
	readonly clock: EmulatorClock;
	readonly faults: Faults;
	readonly entries: InboxEntries;
	readonly host: string;
	/** Requests per key and minute; 0 for no limit. */
	readonly rateLimit: number;
	/** Seconds before each attempt. */
	readonly retrySchedule?: readonly number[] | undefined;
	readonly deliver?: DeliverOptions | undefined;
	readonly onFault: (error: unknown) => void;
}

/** A seeded service with its own database. A reset replaces it by a new one. */
export interface EmulatedService {
	readonly service: Service;
	readonly seeded: Seeded;
	readonly app: H3;
	readonly late: LateCopies;
	/** Receives a delivery at the inbox. */
	readonly receive: (name: string, request: Request) => Promise<Response>;
	/** Ends attempts under way at once, and removes the database. */
	close(): Promise<void>;
}

/** Opens the service; `number` names its database. The caller starts the worker, after it closed the previous service. */
export async function openEmulatedService(
	seed: Seed,
	number: number,
	options: EmulatedServiceOptions,
): Promise<EmulatedService> {
	const { clock, faults, entries, folder } = options;
	const { retrySchedule = RETRY_SCHEDULE } = options;
	let isClosing = false;
	/** While the service closes, work is cut off: those errors are not reported. */
	const onFault = (error: unknown) => {
		if (!isClosing) options.onFault(error);
	};
	let late: LateCopies | undefined;
	const database = join(folder, `emulator-${number}.db`);
	const service = await openService({
		...options.deliver,
		database,
		secretKey: randomBytes(32).toString("hex"),
		allowHttp: true,
		allowPrivate: true,
		clock,
		random: createSeededRandom(RANDOM_SEED, SEEDED_AT_MS),
		// The dispatcher's writes depend on timing, but ids of requests must not: they come from separate sources.
		backgroundRandom: createSeededRandom(
			`${RANDOM_SEED}/background`,
			BACKGROUND_AT_MS,
		),
		// No jitter: retries come exactly at the times of the schedule.
		jitter: () => 0.5,
		retrySchedule,
		pollMs: 50,
		drainMs: 0,
		openWire: (options) => {
			const wire = createWire(options);
			late = createLateCopies(wire, clock, retrySchedule);
			return disturbWire(wire, late, faults, clock);
		},
		onFault,
	});
	try {
		if (!late) throw new TypeError("the service has no wire");
		const seeded = await service.store.write((db) =>
			seedCompany(db, seed, SEEDED_AT_MS),
		);
		const dashboard = createDashboard(service.core, {
			host: options.host,
			onFault,
		});
		const { rateLimit } = options;
		return {
			service,
			seeded,
			late,
			app: createApp(service.core, { rateLimit, dashboard, onFault }),
			receive: createInboxReceiver(service.core, entries),
			async close() {
				isClosing = true;
				await dashboard.close();
				await service.close();
				await removeDatabase(database);
			},
		};
	} catch (error) {
		await service.close();
		throw error;
	}
}

const removeDatabase = (path: string) =>
	Promise.all(
		["", "-wal", "-shm"].map((suffix) =>
			rm(`${path}${suffix}`, { force: true }),
		),
	);
