import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { blocksOf } from "../kit/code-blocks.ts";
import { installPacked } from "../kit/program/install-packed.ts";

const run = promisify(execFile);
let project = "";

/** About 260 packages that only this test needs. It installs them from npm when it runs, so that `npm ci` does not. */
const JEST = "jest@30.5.2";

beforeAll(async () => {
	project = await installPacked(["partnerwire", "@partnerwire/sdk"]);
	await run(
		"npm",
		["install", "--ignore-scripts", "--no-audit", "--no-fund", JEST],
		{ cwd: project },
	);
}, 600_000);

/** Jest's result for the test files in a folder: the number of passed tests, every failure, and whether handles are left open. */
async function runJest(name: string, ...flags: string[]) {
	const cwd = join(project, name);
	const report = join(cwd, "report.json");
	const { stderr } = await run(
		process.execPath,
		[
			"--experimental-vm-modules",
			join(project, "node_modules/jest/bin/jest.js"),
			...["--json", "--outputFile", report, "--testTimeout=60000", ...flags],
		],
		{ cwd },
	).catch((failed) => failed as { stderr: string });
	const { numPassedTests, testResults } = JSON.parse(
		readFileSync(report, "utf8"),
	) as { numPassedTests: number; testResults: { message: string }[] };
	const failures = testResults.map(({ message }) => message).filter(Boolean);
	// "force exited" is not checked: after any fetch, a worker still compiles the parser (WebAssembly).
	const isOpen = /did not exit|open handle/.test(stderr);
	return { passed: numPassedTests, failures, isOpen };
}

function writeTests(
	name: string,
	manifest: object,
	tests: Record<string, string>,
): void {
	const cwd = join(project, name);
	mkdirSync(cwd);
	writeFileSync(join(cwd, "package.json"), JSON.stringify(manifest));
	for (const [file, code] of Object.entries(tests))
		writeFileSync(join(cwd, `${file}.test.js`), code);
}

const example = String(
	blocksOf("docs/emulator.md").find(({ language }) => language === "js")?.code,
);

test("startEmulator in files at the same time, and one after the other in one process, where each has a realm of its own", async () => {
	writeTests(
		"modules",
		{ type: "module" },
		{
			example,
			again: example,
			more: readFileSync(join(import.meta.dirname, "under-jest.js"), "utf8"),
		},
	);
	const good = { passed: 6, failures: [], isOpen: false };
	expect(await runJest("modules", "--maxWorkers=2")).toEqual(good);
	expect(await runJest("modules", "--runInBand")).toEqual(good);
});

test("startEmulator in a project of CommonJS, imported in beforeAll", async () => {
	const imports = /^import \{ ([\w, ]+) \} from ("[^@].*");\n/gm;
	const names = [...example.matchAll(imports)];
	expect(names.map(([, name]) => name)).toEqual([
		"createTestClient, startEmulator",
	]);
	const commonJs = example
		.replace(/^import (.*) from ("@jest.*");/m, "const $1 = require($2);")
		.replaceAll(imports, "let $1;\n")
		.replace(
			"beforeAll(async () => {\n",
			(line) =>
				line +
				names
					.map(([, name, from]) => `({ ${name} } = await import(${from}));\n`)
					.join(""),
		);
	writeTests("commonjs", {}, { example: commonJs });
	const good = { passed: 1, failures: [], isOpen: false };
	expect(await runJest("commonjs")).toEqual(good);
});
