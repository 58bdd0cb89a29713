import type { TestProject } from "vitest/node";
import { TEMPLATE } from "../../shared/core/test/support/database.ts";
import { openPostgres } from "../../shared/core/test/support/postgres.ts";
import { removeTempFolders } from "../../shared/core/test/support/temp-folder.ts";

/** Nothing here survives the run, so nothing of it must reach the disk. */
const FLAGS = "fsync=off synchronous_commit=off full_page_writes=off";

/** The global set-up of projects whose suites run on PostgreSQL: one server for all of them. */
export default async function setup(project: TestProject) {
	const { migratePostgres } = await import(
		"../../shared/core/src/db/migrate.postgres.ts"
	);
	const server = await openPostgres([
		...FLAGS.split(" "),
		"max_connections=400",
	]);
	const { default: pg } = await import("pg");
	await server.pool.query(`create database ${TEMPLATE}`);
	const client = new pg.Client({ ...server.address, database: TEMPLATE });
	await client.connect();
	await migratePostgres(client);
	await client.end();
	project.provide("postgres", server.url);
	project.provide("postgresVersion", server.version);
	return async () => {
		await server.close();
		removeTempFolders();
	};
}
