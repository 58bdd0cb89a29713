/** Folders with packages of their own, such as `test/platforms`: `npm ci` does not bring them, only their first use does. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { ROOT } from "./sources.ts";

/** Installs the packages of a folder's lock file, unless they are there. `user` names who needs them, for the error. */
export function installOnce(folder: string, user: string): void {
	const lock = readFileSync(join(folder, "package-lock.json"), "utf8");
	// A copy of the lock file that the last install followed.
	const installed = join(folder, "node_modules/.installed-lock.json");
	if (existsSync(installed) && readFileSync(installed, "utf8") === lock) return;
	try {
		execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
			cwd: folder,
			stdio: ["ignore", "pipe", "pipe"],
			encoding: "utf8",
		});
	} catch (error) {
		throw new Error(
			`${user} needs the packages of ${relative(ROOT, folder)}, and \`npm ci\` cannot install them there:\n${(error as { stderr?: unknown }).stderr}`,
			{ cause: error },
		);
	}
	writeFileSync(installed, lock);
}
