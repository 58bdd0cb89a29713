/**
 * Bundles the command line with its libraries, so that a service starts faster: Node takes about 0.5 ms to open
 * and link a file, and they have hundreds.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const ROOT = join(import.meta.dirname, "../..");
const OUTPUT = join(ROOT, "admin/dist/bundle");

/**
 * Native code, drivers that a receiver's store loads by name, and libraries that few commands load: Node gives their
 * CommonJS the names that a bundler does not find.
 */
const NOT_BUNDLED = ["better-sqlite3", "ioredis", "listhen", "pg"];

/** A copy of the Apache licence, for libraries that name it and hold none. */
const APACHE = join(ROOT, "node_modules/swagger-ui-dist/LICENSE");

/** The libraries in a bundle by their folders, from the paths of the bundled files. */
const librariesOf = (paths: readonly string[]) =>
	new Set(
		paths.flatMap(
			(path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [],
		),
	);

/** The heading and the text of a library's licence, as in the dashboard's notices. */
function toNotice(folder: string): string {
	const { name, version, license } = JSON.parse(
		readFileSync(join(folder, "package.json"), "utf8"),
	);
	const files = readdirSync(folder)
		.filter((file) => /^licen[cs]e/i.test(file))
		.map((file) => join(folder, file));
	if (files.length === 0) {
		if (license !== "Apache-2.0")
			throw new Error(`${name} has no licence file`);
		files.push(APACHE);
	}
	const texts = files.map((file) => readFileSync(file, "utf8").trim());
	return [`## ${name} - ${version} (${license})`, ...texts].join("\n\n");
}

export async function bundleCli(): Promise<void> {
	const { metafile } = await build({
		absWorkingDir: ROOT,
		entryPoints: ["admin/src/cli/main.ts"],
		outdir: OUTPUT,
		bundle: true,
		splitting: true,
		format: "esm",
		platform: "node",
		target: "node20",
		conditions: ["partnerwire-source"],
		mainFields: ["module", "main"],
		external: NOT_BUNDLED,
		metafile: true,
		// Libraries that are CommonJS call it.
		banner: {
			js: 'import { createRequire as toRequire } from "node:module"; const require = toRequire(import.meta.url);',
		},
	});
	const notices = [...librariesOf(Object.keys(metafile.inputs))]
		.sort()
		.map((folder) => toNotice(join(ROOT, folder)));
	writeFileSync(
		join(OUTPUT, "third-party-notices.md"),
		`# Licences of the bundled libraries\n\n${notices.join("\n\n")}\n`,
	);
}
