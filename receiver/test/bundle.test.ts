import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { BAD, GOOD, NOW_MS, SECRET } from "#kit/endpoints/tokens.ts";
import manifest from "../package.json" with { type: "json" };

const LIMIT_BYTES = 12.5 * 1024;

let code = "";
let meta: Metafile;
const bundle = (subpath: keyof typeof manifest.exports) =>
	build({
		entryPoints: [
			join(
				import.meta.dirname,
				"..",
				manifest.exports[subpath]["partnerwire-source"],
			),
		],
		bundle: true,
		minify: true,
		write: false,
		metafile: true,
		format: "esm",
		platform: "browser",
		target: "es2022",
		// The conditions of a bundler for the edge, and "partnerwire-source", so that the tests need no build.
		conditions: ["partnerwire-source", "worker", "browser"],
		logLevel: "error",
	});

beforeAll(async () => {
	const result = await bundle(".");
	code = result.outputFiles[0]?.text ?? "";
	meta = result.metafile;
});

describe("H02 the root entry bundled for the edge", () => {
	test("is at most 12.5 KB gzip, everything included", () => {
		expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(
			LIMIT_BYTES,
		);
		expect(Object.values(meta.outputs).flatMap((out) => out.imports)).toEqual(
			[],
		);
	});

	test("holds no zod and no node: import", () => {
		const inputs = Object.keys(meta.inputs);
		expect(inputs.filter((path) => /node_modules|contract/.test(path))).toEqual(
			[],
		);
		expect(inputs.some((path) => path.endsWith("crypto-node.ts"))).toBe(false);
		expect(code).not.toMatch(/["'](?:node:|crypto["'])/);
	});

	const load = (): Promise<typeof import("@partnerwire/receiver")> =>
		import(
			/* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(code).toString("base64")}`
		);

	test("a refusal says why, by how long, and where to look", async () => {
		const lines: string[] = [];
		const receiver = (await load()).createReceiver({
			secret: SECRET,
			clock: () => NOW_MS + 3_600_000,
			log: (line) => lines.push(line),
		});
		for (const authorization of [`Bearer ${GOOD}`, `Bearer ${BAD}`])
			await receiver.fetch(
				new Request("http://x/", {
					method: "POST",
					headers: { authorization },
				}),
			);
		expect(lines).toEqual([
			expect.stringMatching(/TOKEN_EXPIRED\. .* It expired \d+ s ago\.$/),
			expect.stringMatching(
				/SIGNATURE_INVALID\. .*\/docs\/troubleshooting of your Partnerwire service\.$/,
			),
		]);
	});

	test("E09 verifies without node:crypto", async () => {
		const edge = await load();
		const verifier = edge.createVerifier({
			secret: SECRET,
			clock: () => NOW_MS,
		});
		expect(await verifier(GOOD)).toMatchObject({ ok: true, secretIndex: 0 });
		expect(await verifier(`${GOOD}A`)).toMatchObject({ ok: false });
	});
});

describe("H02 the entries that run on the edge", () => {
	test.each([
		"./hono",
		"./h3",
		"./next",
		"./catch-up",
		"./explain",
		"./standard",
		"./testing",
	] as const)("%s has no node: import", async (name) => {
		const { outputFiles } = await bundle(name);
		expect(outputFiles[0]?.text).not.toMatch(/["'](?:node:|crypto["'])/);
	});
});
