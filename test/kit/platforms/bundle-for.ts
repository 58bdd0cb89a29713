/** Bundles code of the tests into one module for another runtime. */
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { ROOT } from "../sources.ts";

/** The packages under test, with the library whose schemas they hand out. */
const UNDER_TEST = /^(@partnerwire\/|zod$)/;
const KIT = join(ROOT, "test/kit");

const withKit: Plugin = {
	name: "the kit",
	setup({ onResolve }) {
		onResolve({ filter: /^vitest$/ }, () => ({
			path: join(KIT, "platforms/portable-vitest.ts"),
		}));
		onResolve({ filter: /^#kit\// }, ({ path }) => ({
			path: join(KIT, path.slice("#kit/".length)),
		}));
	},
};

/** The runtime itself finds the packages under test. */
const leftToRuntime: Plugin = {
	name: "packages left to the runtime",
	setup({ onResolve }) {
		onResolve({ filter: UNDER_TEST }, () => ({ external: true }));
	},
};

/** The packages under test come from the project, not from the repository. */
const bundledFrom = (project: string): Plugin => ({
	name: "packages of the project",
	setup({ onResolve, resolve }) {
		onResolve({ filter: UNDER_TEST }, ({ path, kind, pluginData }) =>
			pluginData === project
				? undefined
				: resolve(path, { kind, resolveDir: project, pluginData: project }),
		);
	},
});

/** Bundles a program for a runtime that finds the packages of its project itself. */
export async function bundleProgram(
	code: string,
	outfile: string,
): Promise<void> {
	await build({
		stdin: { contents: code, resolveDir: ROOT },
		outfile,
		bundle: true,
		format: "esm",
		platform: "node",
		external: ["bun:*"],
		plugins: [withKit, leftToRuntime],
	});
}

/** Bundles a Worker, with the packages of the project. */
export async function bundleWorker(
	code: string,
	outfile: string,
	project: string,
): Promise<void> {
	await build({
		stdin: { contents: code, resolveDir: ROOT },
		outfile,
		bundle: true,
		format: "esm",
		platform: "browser",
		conditions: ["workerd", "worker", "browser"],
		external: ["node:*"],
		plugins: [withKit, bundledFrom(project)],
	});
}
