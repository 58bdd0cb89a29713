import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import {
	createSeededRandom,
	type Seed,
	type Seeded,
	seedCompany,
} from "@partnerwire/core";
import type { H3 } from "h3";
import { createDashboard } from "../dashboard/dashboard.ts";
import { createApp } from "../http/app.ts";
import { openService, type Service } from "../service/open-service.ts";
import type { EmulatorClock } from "./clock.ts";
import { disturbWire } from "./disturb-wire.ts";
import type { Faults } from "./faults.ts";
import type { InboxEntries } from "./inbox.ts";
import { createInboxReceiver } from "./inbox-receiver.ts";

/** When the seed's records were made: the same whenever the emulator starts. */
export const SEEDED_AT_MS = Date.UTC(2026, 0, 1);
const RANDOM_SEED = "partnerwire emulator";

export interface WorldOptions {
	/** Where the database is put. */
	readonly folder: string;
	readonly clock: EmulatorClock;
	readonly faults: Faults;
	readonly entries: InboxEntries;
	readonly host: string;
	/** Requests per key and minute; 0 for no limit. */
	readonly rateLimit: number;
	/** Seconds before each attempt. */
	readonly retrySchedule?: readonly number[] | undefined;
	readonly onFault: (error: unknown) => void;
}

/** A service on a database of its own, seeded: what a reset throws away and makes anew. */
export interface World {
	readonly service: Service;
	readonly seeded: Seeded;
	readonly app: H3;
	/** Takes a delivery at the inbox. */
	readonly receive: (name: string, request: Request) => Promise<Response>;
	/** Ends attempts under way at once, and removes the database. */
	close(): Promise<void>;
}

/** Opens the `number`th world; its worker is to be started when it takes the place of the one before. */
export async function openWorld(
	seed: Seed,
	number: number,
	options: WorldOptions,
): Promise<World> {
	const { clock, faults, entries, folder, onFault } = options;
	const database = join(folder, `emulator-${number}.db`);
	const service = await openService({
		database,
		secretKey: randomBytes(32).toString("hex"),
		allowHttp: true,
		allowPrivate: true,
		clock,
		random: createSeededRandom(RANDOM_SEED, SEEDED_AT_MS),
		// Retries come exactly when the schedule says.
		jitter: () => 0.5,
		retrySchedule: options.retrySchedule,
		pollMs: 50,
		drainMs: 0,
		wrapWire: (wire) => disturbWire(wire, faults, clock),
		onFault,
	});
	try {
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
			app: createApp(service.core, { rateLimit, dashboard, onFault }),
			receive: createInboxReceiver(service.core, entries),
			async close() {
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
