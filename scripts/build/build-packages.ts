/** Converts the TypeScript of each package to JavaScript, file by file, from `src` to `dist`. */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import root from "../../package.json" with { type: "json" };

const ROOT = join(import.meta.dirname, "../..");

/** Leaves each file a file of its own, which imports the others by the names they have in `dist`. */
const fileByFile: Plugin = {
	name: "file by file",
	setup(plugin) {
		plugin.onResolve({ filter: /./ }, ({ path, kind }) =>
			kind === "entry-point"
				? undefined
				: { path: path.replace(/^(\..*)\.ts$/, "$1.js"), external: true },
		);
	},
};

const filesIn = (folder: string, suffix: string) =>
	readdirSync(folder, { recursive: true, encoding: "utf8" })
		.filter((path) => path.endsWith(suffix))
		.map((path) => join(folder, path));

export async function buildPackages(): Promise<void> {
	const packages = root.workspaces
		.map((folder) => join(ROOT, folder))
		.filter((folder) => existsSync(join(folder, "src")));
	await Promise.all(
		packages.map(async (folder) => {
			const [from, to] = [join(folder, "src"), join(folder, "dist")];
			// Declarations stay: `npm run declarations` writes them. A file whose source is gone must not.
			if (existsSync(to)) for (const path of filesIn(to, ".js")) rmSync(path);
			await build({
				entryPoints: filesIn(from, ".ts"),
				outbase: from,
				outdir: to,
				bundle: true,
				format: "esm",
				platform: "neutral",
				target: "es2023",
				plugins: [fileByFile],
			});
		}),
	);
}
