/**
 * The packages of `test/platforms`: runtimes, package managers and web frameworks, which only `npm run test:full` needs, so that `npm ci` does
 * not bring them.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { installOnce } from "../install-once.ts";
import { ROOT } from "../sources.ts";

const FOLDER = join(ROOT, "test/platforms");

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
	installOnce(FOLDER, "test:full, on Linux and x64,");
}
