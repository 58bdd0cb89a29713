import { statSync } from "node:fs";
import { join } from "node:path";
import { isTypeScript, listFiles, ROOT } from "./sources.ts";

const PACKAGES = ["admin", "dispatcher", "receiver", "fixtures"]
	.concat(["contract", "core", "sdk"].map((name) => `shared/${name}`))
	.map((folder) => `${folder}/src`);
const changedAt = (path: string) => statSync(join(ROOT, path)).mtimeMs;

/** Throws when the bundle that the command line runs is older than a source of it: a test of it would be one of the past. */
export function expectBuiltCli(): void {
	const builtAt = changedAt("admin/dist/bundle/main.js");
	const newer = PACKAGES.flatMap(listFiles)
		.filter(isTypeScript)
		.find((path) => changedAt(path) > builtAt);
	if (newer)
		throw new Error(
			`${newer} is newer than the built command line: \`npm run build\``,
		);
}
