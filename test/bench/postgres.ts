import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { seedCompany, takeTurn } from "@partnerwire/core";
import { openService, readSeed } from "partnerwire";
import { onDatabase } from "../../shared/core/test/support/database-client.ts";
import { openPostgres } from "../../shared/core/test/support/postgres.ts";
import { removeTempFolders } from "../../shared/core/test/support/temp-folder.ts";
import { expect } from "./expect.ts";
import type { Part } from "./report.ts";
import { median } from "./rounds.ts";

const CLI = join(import.meta.dirname, "../../admin/bin/partnerwire.js");
const secretKey = randomBytes(32).toString("hex");
const BATCH = 128;
const INTEGRATIONS = 200;
const THINK_MS = 20;
const DAY_MS = 24 * 3_600_000;

interface Server {
	readonly url: string;
}

/** Its durability is the default: every commit reaches the disk. */
async function onServer<Result>(
	work: (server: Server) => Promise<Result>,
): Promise<Result> {
	const server = await openPostgres();
	try {
		return await work(server);
	} finally {
		await server.close();
		removeTempFolders();
	}
}

/** A database with a company and its integrations; nothing delivers. */
async function openFilled(
	server: Server,
	name: string,
	{ rows, url }: { rows: number; url: string },
) {
	const database = new URL(server.url);
	await onDatabase(server.url, (client) =>
		client.query(`create database ${name}`),
	);
	database.pathname = name;
	const options = { secretKey, allowHttp: true, allowPrivate: true };
	const service = await openService({
		...options,
		database: database.toString(),
	});
	const { keys } = await service.store.write((db) =>
		seedCompany(db, readSeed(), Date.now()),
	);
	const caller = await service.core.authenticate(keys.full);
	if (!caller) throw new TypeError("the seed's key is not valid");
	for (let n = 0; n < INTEGRATIONS; n++)
		await service.core.execute(
			"createIntegration",
			{ body: { label: `I ${n}`, webhook_url: url } },
			caller,
		);
	await addRows(database.toString(), rows);
	return { database: database.toString(), service };
}

/** Pending deliveries, each in a lane of its own, evenly over the integrations. */
const addRows = (database: string, rows: number) =>
	onDatabase(database, async (client) => {
		await client.query(
			`insert into event (uuid, company_uuid, event_id, user_uuid, record_uuid, entity, created_at)
			select gen_random_uuid(), i.company_uuid, 'lead_updated', i.company_uuid, gen_random_uuid(), $2, 0
			from generate_series(1, $1::int) n join integration i on i.id = 1 + n % ${INTEGRATIONS}`,
			[rows, JSON.stringify({ uuid: "x", padding: "x".repeat(900) })],
		);
		await client.query(
			`insert into delivery (uuid, integration_id, event_row_id, configuration_id, lane, sequence, state, ready, due_at, attempts, lease, created_at)
			select gen_random_uuid(), i.id, e.id, i.configuration_id, e.record_uuid, e.id, 'pending', true, 0, 0, 0, 0
			from event e join integration i on i.id = 1 + e.id % ${INTEGRATIONS}`,
		);
		await client.query("update integration set sequence = $1", [rows]);
		await client.query("vacuum analyze");
	});

/** Microseconds that a claim of a batch takes for each delivery; what is claimed goes back with the lease. */
async function timeClaims(
	{ store }: Awaited<ReturnType<typeof openFilled>>["service"],
	rounds: number,
): Promise<number> {
	const times: number[] = [];
	for (let round = 0; round < rounds; round++) {
		const startedAt = performance.now();
		const {
			claimed: [claimed],
		} = await takeTurn(store, [], {
			nowMs: Date.now(),
			leaseMs: DAY_MS,
			rooms: [{ limit: BATCH, after: (round * 7) % INTEGRATIONS }],
		});
		times.push(((performance.now() - startedAt) / BATCH) * 1000);
		expect(claimed?.length === BATCH, "a claim took something else");
	}
	return median(times);
}

/** A claim of 128 deliveries with 1,000,000 pending, next to 20,000. */
export const benchPostgresClaim: Part = ({ quick }) =>
	onServer(async (server) => {
		const sizes = quick ? [20_000, 100_000] : [20_000, 1_000_000];
		const found: { size: number; us: number; bytes: number }[] = [];
		for (const size of sizes) {
			const name = `claim_${size}`;
			const filled = await openFilled(server, name, {
				rows: size,
				url: "http://127.0.0.1:9/",
			});
			await timeClaims(filled.service, 10);
			const us = await timeClaims(filled.service, 100);
			const bytes = await onDatabase(filled.database, async (client) => {
				const { rows } = await client.query(
					"select pg_total_relation_size('delivery')::float8 as bytes",
				);
				return rows[0].bytes / size;
			});
			found.push({ size, us, bytes });
			await filled.service.close();
		}
		const [few, many] = found as [(typeof found)[0], (typeof found)[0]];
		return {
			postgres_claim_ratio: many.us / few.us,
			rows: found.flatMap(({ size, us, bytes }) => [
				{ name: `claim, ${size} pending`, value: `${us.toFixed(1)} µs each` },
				{
					name: `a delivery's row and indexes`,
					value: `${bytes.toFixed(0)} B`,
				},
			]),
		};
	});

const start = (database: string): ChildProcess =>
	spawn(
		process.execPath,
		[
			CLI,
			"worker",
			"--dev",
			"--concurrency",
			"1024",
			"--per-integration",
			"64",
		],
		{
			env: {
				...process.env,
				PARTNERWIRE_DATABASE: database,
				PARTNERWIRE_SECRET_KEY: secretKey,
				PARTNERWIRE_LOG_LEVEL: "error",
			},
			stdio: "ignore",
		},
	);

/** Deliveries a second that so many worker processes make, from the first to the last of a window. */
async function timeWorkers(server: Server, count: number, rows: number) {
	let arrived = 0;
	const marks = { from: 0, to: 0 };
	let onDone = () => {};
	const done = new Promise<void>((resolve) => {
		onDone = resolve;
	});
	const receiver = createServer((request, response) => {
		request.resume();
		arrived++;
		// A worker's start is not counted.
		if (arrived === rows >> 2) marks.from = performance.now();
		if (arrived === (rows >> 2) * 3) {
			marks.to = performance.now();
			onDone();
		}
		setTimeout(() => response.end("{}"), THINK_MS);
	});
	await new Promise<void>((resolve) =>
		receiver.listen(0, "127.0.0.1", resolve),
	);
	const { port } = receiver.address() as AddressInfo;
	const filled = await openFilled(server, `workers_${count}_${Date.now()}`, {
		rows,
		url: `http://127.0.0.1:${port}/`,
	});
	await filled.service.close();
	const workers = Array.from({ length: count }, () => start(filled.database));
	await done;
	for (const worker of workers) worker.kill("SIGKILL");
	receiver.closeAllConnections();
	receiver.close();
	return (rows >> 1) / ((marks.to - marks.from) / 1000);
}

/** Two worker processes next to one, on 200 integrations whose receiver thinks for 20 ms. */
export const benchTwoWorkers: Part = ({ quick }) =>
	onServer(async (server) => {
		const rows = quick ? 8000 : 40_000;
		const rates = { one: [] as number[], two: [] as number[] };
		for (let round = 0; round < (quick ? 1 : 3); round++) {
			rates.one.push(await timeWorkers(server, 1, rows));
			rates.two.push(await timeWorkers(server, 2, rows));
		}
		const [one, two] = [median(rates.one), median(rates.two)];
		return {
			two_workers_ratio: two / one,
			rows: [
				{ name: "one worker", value: `${one.toFixed(0)} deliveries/s` },
				{ name: "two workers", value: `${two.toFixed(0)} deliveries/s` },
			],
		};
	});
