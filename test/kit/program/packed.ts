import { execFile } from "node:child_process";
import {
	cpSync,
	existsSync,
	mkdirSync,
	readFileSync,
	writeFileSync,
} from "node:fs";
import { basename, join, relative } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../sources.ts";

const run = promisify(execFile);

/** The published packages, by their folders. They are the root's workspaces. */
export const PACKAGES: readonly string[] = JSON.parse(
	readFileSync(join(ROOT, "package.json"), "utf8"),
).workspaces;

export interface Packed {
	readonly folder: string;
	/** The manifest in the tarball. */
	readonly manifest: Readonly<{
		name: string;
		version: string;
		exports: Record<string, unknown>;
		[member: string]: unknown;
	}>;
	readonly file: string;
	/** The paths in the tarball, without `package/`. */
	readonly paths: readonly string[];
}

const NOT_COPIED = new Set(["node_modules", "src", "test", "web"]);

/** Runs `npm pack` for each package in a copy, because it changes the folder while it runs and other tests read that. */
export async function packAll(into: string): Promise<Packed[]> {
	mkdirSync(join(into, "scripts"), { recursive: true });
	for (const path of ["LICENSE", "scripts/pack-manifest.mjs"])
		cpSync(join(ROOT, path), join(into, path));
	return Promise.all(PACKAGES.map((folder) => pack(folder, into)));
}

async function pack(folder: string, into: string): Promise<Packed> {
	const source = join(ROOT, folder);
	const cwd = join(into, folder);
	cpSync(source, cwd, {
		recursive: true,
		filter: (path) => {
			const inside = relative(source, path);
			return !NOT_COPIED.has(inside) && !basename(inside).startsWith(".docs-");
		},
	});
	const { stdout } = await run("npm", ["pack", "--json", "--silent"], { cwd });
	const [{ filename }] = JSON.parse(stdout);
	const file = join(cwd, filename);
	const { stdout: list } = await run("tar", ["-tzf", file]);
	const { stdout: manifest } = await run("tar", [
		"-xzOf",
		file,
		"package/package.json",
	]);
	return {
		folder,
		file,
		manifest: JSON.parse(manifest),
		paths: list
			.trim()
			.split("\n")
			.map((path) => path.replace(/^package\//, "")),
	};
}

/** Runs `npm install` in an empty project, only from this registry. */
export async function installInto(
	project: string,
	names: readonly string[],
	registry: string,
): Promise<void> {
	mkdirSync(project, { recursive: true });
	if (!existsSync(join(project, "package.json")))
		writeFileSync(
			join(project, "package.json"),
			JSON.stringify({ name: "empty", private: true, type: "module" }),
		);
	await run(
		"npm",
		[
			"install",
			"--ignore-scripts",
			"--no-audit",
			"--no-fund",
			"--fetch-timeout=30000",
			`--registry=${registry}`,
			`--cache=${join(project, "../npm-cache")}`,
			...names,
		],
		{ cwd: project },
	);
}

/** Runs a program in a project as a module, and returns its output. */
export async function runIn(
	project: string,
	code: string,
	env: Record<string, string> = {},
): Promise<string> {
	const file = join(project, "use.mjs");
	writeFileSync(file, code);
	const { stdout } = await run(process.execPath, ["--no-warnings", file], {
		cwd: project,
		env: { ...process.env, ...env },
	});
	return stdout.trim();
}
