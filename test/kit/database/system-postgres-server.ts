import type { TestProject } from "vitest/node";
import { provideServer, TEST_SETTINGS } from "./postgres-server.ts";
import { openSystemPostgres } from "./system-postgres.ts";

/** The global set-up of suites that use the system's PostgreSQL. */
export default async (project: TestProject) =>
	provideServer(project, await openSystemPostgres(TEST_SETTINGS));
