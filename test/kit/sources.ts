import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

const SKIPPED = new Set([
	"node_modules",
	"dist",
	"web-dist",
	"docs-dist",
	".git",
	"coverage",
]);

/** Every file in a folder of the repository, as a path from the root with forward slashes. */
export function listFiles(folder: string): string[] {
	if (!existsSync(join(ROOT, folder))) return [];
	return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap(
		(entry) => {
			const path = posix.join(folder, entry.name);
			if (entry.isDirectory())
				// Other tests write into hidden folders at the same time.
				return SKIPPED.has(entry.name) || entry.name.startsWith(".")
					? []
					: listFiles(path);
			return entry.isFile() ? [path] : [];
		},
	);
}

export const readSource = (path: string) =>
	readFileSync(join(ROOT, path), "utf8");

export const isTypeScript = (path: string) => /\.m?ts$/.test(path);

/** The packages with sources, by their short names. */
export const PACKAGES = {
	wire: "shared/wire",
	contract: "shared/contract",
	core: "shared/core",
	sdk: "shared/sdk",
	dispatcher: "dispatcher",
	receiver: "receiver",
	admin: "admin",
} as const;

/** The source files of a package. */
export const sourcesOf = (name: keyof typeof PACKAGES): string[] =>
	listFiles(`${PACKAGES[name]}/src`).filter(isTypeScript);

export interface Import {
	/** The importing file. */
	readonly from: string;
	/** A file of the repository for a relative import, otherwise the specifier. */
	readonly to: string;
	/** Is it erased before the code runs? */
	readonly isTypeOnly: boolean;
}

const STATEMENT =
	/^(?:import|export)\s+(type\s+)?(?:[^"';]*?\sfrom\s+)?["']([^"']+)["']/gm;
const DYNAMIC = /\bimport\(\s*["']([^"']+)["']/g;

/** The imports and re-exports of a file. A statement of inline `type` members alone counts as a value import. */
export function importsOf(from: string): Import[] {
	const text = readSource(from);
	const found = [
		...[...text.matchAll(STATEMENT)].map(([, type, to]) => ({
			to,
			isTypeOnly: type !== undefined,
		})),
		...[...text.matchAll(DYNAMIC)].map(([, to]) => ({ to, isTypeOnly: false })),
	];
	return found.map(({ to = "", isTypeOnly }) => ({
		from,
		to: to.startsWith(".") ? posix.join(posix.dirname(from), to) : to,
		isTypeOnly,
	}));
}

/** The files that are loaded with `entry`, and the packages that they import. */
export function graphOf(
	entry: string,
	aliases: Readonly<Record<string, string>> = {},
): { files: string[]; packages: string[] } {
	const files = new Set<string>();
	const packages = new Set<string>();
	const visit = (path: string) => {
		if (files.has(path)) return;
		files.add(path);
		for (const { to, isTypeOnly } of importsOf(path)) {
			if (isTypeOnly) continue;
			const target = aliases[to] ?? to;
			if (isTypeScript(target)) visit(target);
			else packages.add(target);
		}
	};
	visit(entry);
	return { files: [...files], packages: [...packages].sort() };
}

/** The package of a specifier: `jose/jws/compact/verify` → `jose`. */
export const packageOf = (specifier: string): string =>
	specifier
		.split("/")
		.slice(0, specifier.startsWith("@") ? 2 : 1)
		.join("/");
