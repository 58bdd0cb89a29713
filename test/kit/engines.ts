import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";

declare module "vitest" {
	interface ProvidedContext {
		/** The name of the project that a suite runs in. */
		project: string;
	}
}

const FOLDER = "PARTNERWIRE_TEST_ENGINES";

/**
 * Records that a test used a real database server or library, for the last line of the run, which lists them by project. A server that
 * only a global set-up starts, outside of all workers, does not count.
 */
export function reportEngine(name: string, version: string): void {
	const folder = process.env[FOLDER];
	if (folder && process.env.VITEST_WORKER_ID)
		writeFileSync(
			join(folder, `${name} ${version} (${inject("project")})`),
			"",
		);
}

/** The global set-up of the test run. At the end it prints which engines the tests of each project really used. */
export default function setup(): () => void {
	const folder = mkdtempSync(join(tmpdir(), "partnerwire-engines-"));
	process.env[FOLDER] = folder;
	return () => {
		const engines = readdirSync(folder).sort();
		rmSync(folder, { recursive: true });
		console.log(`Engines that ran: ${engines.join(", ") || "none"}`);
	};
}
