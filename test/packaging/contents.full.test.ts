import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import {
	checkPackage,
	createPackageFromTarballData,
} from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { beforeAll, describe, expect, test } from "vitest";
import { PACKAGES, type Packed, packAll } from "../kit/program/packed.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

let packed: Packed[];
beforeAll(async () => {
	packed = await packAll(createTempFolder());
});
const of = (folder: string) =>
	packed.find((one) => one.folder === folder) as Packed;

const stringsIn = (value: unknown): string[] =>
	typeof value === "string"
		? [value]
		: Object.values(value ?? {}).flatMap(stringsIn);

/** The packages are only modules, so old resolvers and `require` are not checked. (In Node 20.19 `require` loads modules too.) */
const NOT_SERVED = new Set(["node10", "node16-cjs"]);

const readPacked = (folder: string, path: string) =>
	execFileSync("tar", ["-xzOf", of(folder).file, `package/${path}`], {
		encoding: "utf8",
	});

test("the service carries the licences of what is in it: Swagger UI's, and those of the dashboard's libraries, fonts and icons", () => {
	const { paths } = of("admin");
	for (const name of [
		"swagger-ui.LICENSE.txt",
		"swagger-ui.NOTICE.txt",
		"swagger-ui-bundle.js.LICENSE.txt",
	])
		expect(paths).toContain(`docs-dist/_site/${name}`);
	const notices = readPacked("admin", "web-dist/third-party-notices.md");
	for (const name of [
		"@vue/runtime-core",
		"vue-router",
		"@nuxt/ui",
		"tailwindcss",
		"@fontsource-variable/inter",
		"@iconify-json/lucide",
	])
		expect(notices).toMatch(new RegExp(`^## ${name} - \\d`, "m"));
	expect(notices).toContain("SIL OPEN FONT LICENSE");
	const bundled = readPacked("admin", "dist/bundle/third-party-notices.md");
	for (const name of ["drizzle-orm", "h3", "zod"])
		expect(bundled).toMatch(new RegExp(`^## ${name} - \\d`, "m"));
	// Each licence has a text, not only a name.
	expect(
		notices
			.split(/^## /m)
			.filter((one) => !/copyright/i.test(one))
			.slice(1),
	).toEqual([]);
});

test("the document of the API is made before it is packed", () => {
	const document = JSON.parse(readPacked("admin", "docs-dist/openapi.json"));
	expect(Object.keys(document.paths).length).toBeGreaterThan(100);
});

describe.each(PACKAGES)("%s", (folder) => {
	test("publint finds nothing, suggestions included", async () => {
		const { file, manifest } = of(folder);
		// A copy: a small file's buffer is a part of a larger one.
		const { buffer } = Uint8Array.from(readFileSync(file));
		const { messages } = await publint({ pack: { tarball: buffer } });
		expect(
			messages.map((one) => formatMessage(one, manifest as never)),
		).toEqual([]);
	});

	test("the types of every subpath are right", async () => {
		const data = createPackageFromTarballData(readFileSync(of(folder).file));
		const result = await checkPackage(data);
		// The fixtures are only data.
		if (folder === "fixtures") return expect(result.types).toBe(false);
		if (!result.types) throw new Error("no types");
		const problems = result.problems.filter(
			(one) =>
				!("resolutionKind" in one && NOT_SERVED.has(one.resolutionKind)) &&
				!("resolutionOption" in one && NOT_SERVED.has(one.resolutionOption)),
		);
		expect(problems).toEqual([]);
		const subpaths = Object.keys(of(folder).manifest.exports);
		expect(Object.keys(result.entrypoints).sort()).toEqual(subpaths.sort());
	});

	test("what is not for users stays at home, and nothing leads to it", () => {
		const { manifest, paths } = of(folder);
		const wrong = paths.filter((path) =>
			/(^|\/)(src|test|node_modules|web)\/|\.(map|tsbuildinfo|kept)$|(?<!\.d)\.ts$|\.(test|test-d)\.|\.vite/.test(
				path,
			),
		);
		expect(wrong).toEqual([]);
		expect(paths).toEqual(expect.arrayContaining(["LICENSE", "README.md"]));
		expect(manifest).not.toHaveProperty("scripts");
		expect(manifest).not.toHaveProperty("devDependencies");
		expect(JSON.stringify(manifest)).not.toContain("partnerwire-source");
		const targets = stringsIn([
			manifest.exports,
			manifest.imports,
			manifest.bin,
		]);
		for (const target of targets.filter((path) => !path.includes("*")))
			expect(paths).toContain(target.replace("./", ""));
	});
});
