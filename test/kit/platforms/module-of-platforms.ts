/**
 * The packages of `test/platforms`: runtimes, package managers and Next.js, which only `npm run test:full` needs, so that `npm ci` does not bring
 * them.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../sources.ts";

const FOLDER = join(ROOT, "test/platforms");
const LOCK = join(FOLDER, "package-lock.json");
/** A copy of the lock file that the last install followed. */
const INSTALLED = join(FOLDER, "node_modules/.installed-lock.json");

/** The path of a file or folder in the `node_modules` of `test/platforms`. */
export function findPlatformModule(path: string): string {
	const found = join(FOLDER, "node_modules", path);
	if (!existsSync(found))
		throw new Error(
			`${path} is not in test/platforms: add its package to test/platforms/package.json`,
		);
	return found;
}

/** Vitest's global set-up of the project `full`: installs the packages, unless they are there. */
export default function installPlatforms(): void {
	const lock = readFileSync(LOCK, "utf8");
	if (existsSync(INSTALLED) && readFileSync(INSTALLED, "utf8") === lock) return;
	try {
		execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
			cwd: FOLDER,
			stdio: ["ignore", "pipe", "pipe"],
			encoding: "utf8",
		});
	} catch (error) {
		throw new Error(
			`test:full needs the packages of test/platforms, for Linux on x64, and \`npm ci\` cannot install them there:\n${(error as { stderr?: unknown }).stderr}`,
			{ cause: error },
		);
	}
	writeFileSync(INSTALLED, lock);
}
