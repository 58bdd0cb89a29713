import type { TestProject } from "vitest/node";
import { openPgbouncer } from "./pgbouncer.ts";
import { provideServer, TEST_SETTINGS } from "./postgres-server.ts";
import { openSystemPostgres } from "./system-postgres.ts";

/** The global set-up of suites that use the system's PostgreSQL through the system's PgBouncer. */
export default async (project: TestProject) => {
	const server = await openSystemPostgres(TEST_SETTINGS);
	const pooler = await openPgbouncer(server.url);
	const close = await provideServer(project, server, {
		inFront: [["PgBouncer", pooler.version]],
	});
	project.provide("postgres", pooler.through(server.url));
	project.provide("directPostgres", server.url);
	return async () => {
		await pooler.close();
		await close();
	};
};
