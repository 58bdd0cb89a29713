import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FOLDER = "PARTNERWIRE_TEST_ENGINES";

/** Notes that a suite ran on a real database server or library, for the last line of the run. */
export function reportEngine(name: string, version: string): void {
	const folder = process.env[FOLDER];
	if (folder) writeFileSync(join(folder, `${name} ${version}`), "");
}

/** The global set-up of the test run: at its end it says which engines the suites really had. */
export default function setup(): () => void {
	const folder = mkdtempSync(join(tmpdir(), "partnerwire-engines-"));
	process.env[FOLDER] = folder;
	return () => {
		const engines = readdirSync(folder).sort();
		rmSync(folder, { recursive: true });
		console.log(`Engines that ran: ${engines.join(", ") || "none"}`);
	};
}
