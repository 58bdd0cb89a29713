import { statSync } from "node:fs";
import { join } from "node:path";
import { isTypeScript, listFiles, ROOT } from "./sources.ts";

const PACKAGES = ["admin", "dispatcher", "receiver", "fixtures"]
	.concat(["contract", "core", "sdk"].map((name) => `shared/${name}`))
	.map((folder) => `${folder}/src`);
const changedAt = (path: string) => statSync(join(ROOT, path)).mtimeMs;

/** Throws if a built file is older than its sources, because a test would then run old code. */
export function expectBuilt(output: string, folders: readonly string[]): void {
	const builtAt = changedAt(output);
	const newer = folders
		.flatMap(listFiles)
		.filter(isTypeScript)
		.find((path) => changedAt(path) > builtAt);
	if (newer)
		throw new Error(`${newer} is newer than ${output}: \`npm run build\``);
}

/** The bundle of the command line. */
export const expectBuiltCli = (): void =>
	expectBuilt("admin/dist/bundle/main.js", PACKAGES);
