import type { Seeded } from "@partnerwire/core";
import { seedCompany } from "@partnerwire/core";
import {
	type AppOptions,
	createApp,
	createDashboard,
	type DashboardOptions,
	listen,
	openService,
	readSeed,
	type Service,
	type ServiceOptions,
} from "partnerwire";
import { expect } from "vitest";
import { createClock, type TestClock } from "../clock.ts";
import { engineOf, newDatabase } from "../database/database.ts";
import { createTestClient, type TestClient } from "./client.ts";

export interface Api extends TestClient {
	readonly url: string;
	readonly database: string;
	readonly service: Service;
	readonly clock: TestClock;
	readonly seeded: Seeded;
	/** The faults that the service reported as its own; `close` insists that there was none. */
	readonly faults: unknown[];
	/** Another company in the same database. */
	addCompany(): Promise<Seeded>;
	close(): Promise<void>;
}

type Options = Partial<ServiceOptions> &
	Pick<AppOptions, "corsOrigins" | "failureLimit" | "metrics"> & {
		/** None unless it is given; "default" is that of the service. */
		rateLimit?: number | "default";
		/** Served too, when it is given. */
		dashboard?: DashboardOptions;
		trustProxy?: readonly string[];
	};

/** A PostgreSQL server has no file beside it that could hold a key. */
export const keyOptions = () =>
	engineOf() === "postgres" ? { secretKey: "ab".repeat(32) } : {};

/** The whole service on a real socket and a real database file, with a seeded company; the worker is not started. */
export async function openApi({
	rateLimit = 0,
	failureLimit = 0,
	corsOrigins,
	metrics,
	dashboard: dashboardOptions,
	trustProxy,
	...options
}: Options = {}): Promise<Api> {
	const database = options.database ?? (await newDatabase());
	const clock = createClock();
	const faults: unknown[] = [];
	const onFault = (error: unknown) => faults.push(error);
	const service = await openService({
		database,
		...keyOptions(),
		clock,
		onFault,
		...options,
	});
	const addCompany = () =>
		service.store.write((db) => seedCompany(db, readSeed(), clock()));
	const seeded = await addCompany();
	const dashboard =
		dashboardOptions &&
		createDashboard(service.core, { onFault, ...dashboardOptions });
	const server = await listen(
		createApp(service.core, {
			...(rateLimit !== "default" && { rateLimit }),
			failureLimit,
			corsOrigins,
			onFault,
			...(metrics && { metrics }),
			...(dashboard && { dashboard }),
		}),
		{
			port: 0,
			host: "127.0.0.1",
			trustProxy,
		},
	);
	return {
		url: server.url,
		database,
		service,
		clock,
		seeded,
		faults,
		addCompany,
		...createTestClient(server.url, seeded.keys.full),
		async close() {
			await dashboard?.close();
			await server.close();
			await service.close();
			expect(faults).toEqual([]);
		},
	};
}
