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

/** Every file below a folder of the repository, as a path from its root with forward slashes. */
export function listFiles(folder: string): string[] {
	if (!existsSync(join(ROOT, folder))) return [];
	return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap(
		(entry) => {
			const path = posix.join(folder, entry.name);
			if (entry.isDirectory())
				// Other tests write into hidden folders meanwhile.
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

export interface Import {
	/** The importing file. */
	readonly from: string;
	/** A file of the repository for a relative import, else the specifier. */
	readonly to: string;
	/** Erased before it runs. */
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

/** What is loaded when `entry` is: its files, and the packages that they import. */
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

/** The package that a specifier is of: `jose/jws/compact/verify` → `jose`. */
export const packageOf = (specifier: string): string =>
	specifier
		.split("/")
		.slice(0, specifier.startsWith("@") ? 2 : 1)
		.join("/");
