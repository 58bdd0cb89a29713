import { mkdirSync } from "node:fs";
import { join } from "node:path";
import {
	create,
	creating,
	creatingFor,
	expectRows,
	reading,
	TABLES,
	type Target,
	toTarget,
} from "./api.ts";
import type { Calls as ApiCalls } from "./children/api-ours.ts";
import type { Calls as BaselineCalls } from "./children/postgres-baseline.ts";
import type { Calls as SinkCalls } from "./children/sink.ts";
import { expectStored, MANY } from "./delivery.ts";
import { openChild } from "./kit/child.ts";
import { type DeliveryCalls, expectArrivals } from "./kit/delivery-load.ts";
import { compareDrain } from "./kit/drain.ts";
import { addDatabase, onServer, type Server } from "./kit/on-postgres.ts";
import { expectCount, meter } from "./kit/postgres-meter.ts";
import type { BenchOptions, Part } from "./kit/report.ts";
import {
	type Contender,
	medianRatio,
	runRounds,
	showRates,
} from "./kit/rounds.ts";
import { inTempFolder } from "./kit/temp-folder.ts";

/** The companies of the creates for many. */
const COMPANIES = 32;

/**
 * Compares our service on PostgreSQL with a hand-written one, and with itself on SQLite: the same disk and durability.
 */
export const benchPostgres: Part = (options) =>
	inTempFolder((folder) =>
		onServer(async (server) => {
			const written = await compareHandWritten({ folder, server }, options);
			const api = await compareApi({ folder, server }, options);
			const delivery = await compareDelivery({ folder, server }, options);
			const drain = await compareDrain(folder, server, options);
			const parts = [written, api, delivery, drain];
			const rows = parts.flatMap((part) => part.rows);
			return { ...written, ...api, ...delivery, ...drain, rows };
		}),
	);

interface Places {
	readonly folder: string;
	readonly server: Server;
}

/** Creates for one company and for many, and reads, through HTTP, beside a hand-written service. */
async function compareHandWritten(
	{ folder, server }: Places,
	options: BenchOptions,
) {
	const processes = {
		ours: openChild<ApiCalls>("./children/api-ours.ts"),
		baseline: openChild<BaselineCalls>("./children/postgres-baseline.ts"),
	};
	try {
		const databases = {
			ours: await addDatabase(server, "written_ours"),
			baseline: await addDatabase(server, "written_baseline"),
		};
		const own = join(folder, "written");
		mkdirSync(own);
		const opened = {
			ours: await processes.ours.call("openMany", {
				folder: own,
				database: databases.ours,
				companies: COMPANIES,
			}),
			baseline: await processes.baseline.call("open", {
				database: databases.baseline,
				companies: COMPANIES,
			}),
		};
		const toTargets = (name: "ours" | "baseline"): [Target, ...Target[]] => {
			const { url, companies } = opened[name];
			return companies.map((company) =>
				toTarget({ url, ...company }, databases[name]),
			) as [Target, ...Target[]];
		};
		const ours = toTargets("ours");
		const baseline = toTargets("baseline");
		const pids = { service: processes.ours.pid, server: server.pid };
		const [toOne, toMany] = [meter(pids), meter(pids)];
		const one = await runRounds(
			{
				ours: toOne.around(creating(ours[0])),
				baseline: creating(baseline[0]),
			},
			options,
		);
		const many = await runRounds(
			{
				ours: toMany.around(creatingFor(ours)),
				baseline: creatingFor(baseline),
			},
			options,
		);
		const readOf = async ([target]: [Target, ...Target[]]) =>
			reading(target, `${target.leads}/${(await create(target)).uuid}`);
		const reads = await runRounds(
			{ ours: await readOf(ours), baseline: await readOf(baseline) },
			options,
		);
		for (const [database, targets] of [
			[databases.ours, ours],
			[databases.baseline, baseline],
		] as const)
			for (const table of TABLES)
				await expectCount(
					database,
					table,
					targets.reduce((sum, { created }) => sum + created, 0),
				);
		const toRow = (what: string, rates: Record<string, number[]>) => [
			{ name: `${what}, hand-written`, value: showRates(rates.baseline ?? []) },
			{ name: `${what}, ours`, value: showRates(rates.ours ?? []) },
		];
		return {
			postgres_create_ratio: medianRatio(one.ours, one.baseline),
			postgres_create_many_ratio: medianRatio(many.ours, many.baseline),
			postgres_get_ratio: medianRatio(reads.ours, reads.baseline),
			rows: [
				...toRow("create a lead", one),
				{ name: "  processor time of ours", value: toOne.show() },
				...toRow(`create a lead, ${COMPANIES} companies`, many),
				{ name: "  processor time of ours", value: toMany.show() },
				...toRow("get a lead by uuid", reads),
			],
		};
	} finally {
		await Promise.all(Object.values(processes).map((child) => child.close()));
	}
}

/** Creates and reads of leads through HTTP, beside SQLite. */
async function compareApi({ folder, server }: Places, options: BenchOptions) {
	const processes = {
		sqlite: openChild<ApiCalls>("./children/api-ours.ts"),
		postgres: openChild<ApiCalls>("./children/api-ours.ts"),
	};
	try {
		const database = await addDatabase(server, "api");
		const sqlite = toTarget(
			await processes.sqlite.call("open", { folder }),
			join(folder, "ours.db"),
		);
		const postgres = toTarget(
			await processes.postgres.call("open", { folder, database }),
			database,
		);
		const addOne = async (target: Target) =>
			`${target.leads}/${(await create(target)).uuid}`;
		const leads = {
			sqlite: await addOne(sqlite),
			postgres: await addOne(postgres),
		};
		const pids = { service: processes.postgres.pid, server: server.pid };
		const [toCreate, toRead] = [meter(pids), meter(pids)];
		const creates = await runRounds(
			{
				postgres: toCreate.around(creating(postgres)),
				sqlite: creating(sqlite),
			},
			options,
		);
		expectRows(sqlite);
		for (const table of TABLES)
			await expectCount(database, table, postgres.created);
		const reads = await runRounds(
			{
				postgres: toRead.around(reading(postgres, leads.postgres)),
				sqlite: reading(sqlite, leads.sqlite),
			},
			options,
		);
		return {
			postgres_create_ratio_to_sqlite: medianRatio(
				creates.postgres,
				creates.sqlite,
			),
			postgres_get_ratio_to_sqlite: medianRatio(reads.postgres, reads.sqlite),
			rows: [
				...toRows("create a lead", creates),
				{ name: "  processor time on PostgreSQL", value: toCreate.show() },
				...toRows("get a lead by uuid", reads),
				{ name: "  processor time on PostgreSQL", value: toRead.show() },
			],
		};
	} finally {
		await Promise.all(Object.values(processes).map((child) => child.close()));
	}
}

/** Deliveries from the event to the stored result, for one integration and for many. */
async function compareDelivery(
	{ folder, server }: Places,
	options: BenchOptions,
) {
	const sink = openChild<SinkCalls>("./children/sink.ts");
	const names = ["sqlite", "postgres", "sqliteMany", "postgresMany"] as const;
	type Name = (typeof names)[number];
	const toEach = <Value>(make: (name: Name) => Value) =>
		Object.fromEntries(names.map((name) => [name, make(name)])) as Record<
			Name,
			Value
		>;
	const processes = toEach(() =>
		openChild<DeliveryCalls>("./children/delivery-ours.ts"),
	);
	const totals = toEach(() => 0);
	const isOnPostgres = (name: Name) => name.startsWith("postgres");
	const databases = new Map<Name, string>();
	try {
		const origin = await sink.call("listen", undefined);
		for (const name of names) {
			const own = join(folder, name);
			mkdirSync(own);
			const integrations = name.endsWith("Many") ? MANY : 1;
			const database = isOnPostgres(name)
				? await addDatabase(server, `delivery_${integrations}`)
				: undefined;
			databases.set(name, database ?? join(own, "ours.db"));
			await processes[name].call("open", {
				folder: own,
				origin,
				integrations,
				...(database && { database }),
			});
		}
		const rates = await runRounds(
			toEach(
				(name): Contender =>
					async (seconds) => {
						const done = await processes[name].call("run", seconds);
						await expectArrivals(sink, done.delivered);
						totals[name] += done.delivered;
						return done.delivered / done.seconds;
					},
			),
			options,
		);
		for (const name of names) {
			const database = databases.get(name) as string;
			if (!isOnPostgres(name)) {
				expectStored(database, "'delivered'", totals[name]);
				continue;
			}
			const delivered = "delivery where state = 'delivered'";
			await expectCount(database, delivered, totals[name]);
			await expectCount(database, "attempt", totals[name]);
		}
		const many = { postgres: rates.postgresMany, sqlite: rates.sqliteMany };
		return {
			postgres_delivery_ratio_to_sqlite: medianRatio(
				rates.postgres,
				rates.sqlite,
			),
			postgres_delivery_many_ratio_to_sqlite: medianRatio(
				many.postgres,
				many.sqlite,
			),
			rows: [
				...toRows("deliveries of one integration", rates),
				...toRows(`deliveries of ${MANY} companies`, many),
			],
		};
	} finally {
		const children = [sink, ...Object.values(processes)];
		await Promise.all(children.map((child) => child.close()));
	}
}

const toRows = (
	what: string,
	{ postgres, sqlite }: Record<"postgres" | "sqlite", number[]>,
) => [
	{ name: `${what}, SQLite`, value: showRates(sqlite) },
	{ name: `${what}, PostgreSQL`, value: showRates(postgres) },
];
