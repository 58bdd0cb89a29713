/* better-sqlite3 without its binary, or with that of another Node: one sentence says what to run, and no file is left. */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { runPartnerwire } from "../kit/program/partnerwire.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

/** Preloaded programs that fail as Node does. */
const FAULTS = {
	"a binary that was never built": `
const Module = require("node:module");
const find = Module._resolveFilename;
Module._resolveFilename = (request, ...more) => {
	if (!request.endsWith("better_sqlite3.node")) return find(request, ...more);
	throw Object.assign(new Error("Cannot find module '" + request + "'"), { code: "MODULE_NOT_FOUND" });
};`,
	"the binary of another Node": `
process.dlopen = (_module, file) => {
	throw Object.assign(
		new Error("The module '" + file + "'\\nwas compiled against a different Node.js version using\\nNODE_MODULE_VERSION 137."),
		{ code: "ERR_DLOPEN_FAILED" },
	);
};`,
};

const ADVICE = `better-sqlite3 is not built for Node ${process.version}: run \`npm rebuild better-sqlite3\` (pnpm: \`pnpm approve-builds\`);`;

const existing = createTempFolder();
beforeAll(async () => {
	const made = await runPartnerwire(["company", "create", "Acme"], {
		cwd: existing,
	});
	expect(made).toMatchObject({ code: 0, stderr: "" });
	writeFileSync(join(existing, "inbox.db"), "");
});

describe.each(Object.entries(FAULTS))("%s", (_name, code) => {
	const preload = join(createTempFolder(), "fault.cjs");
	writeFileSync(preload, code);

	async function expectAdvice(cwd: string, words: string[], end: string) {
		const temporary = createTempFolder();
		const before = readdirSync(cwd);
		const ended = await runPartnerwire(words, {
			cwd,
			env: { NODE_OPTIONS: `--require=${preload}`, TMPDIR: temporary },
		});
		expect(ended.stderr.trim().split("\n")).toEqual([
			expect.stringContaining(`${ADVICE} ${end}`),
		]);
		expect(ended).toMatchObject({ code: 1, stdout: "" });
		expect(readdirSync(cwd)).toEqual(before);
		expect(readdirSync(temporary)).toEqual([]);
	}

	const DATABASE = "the database is not touched.";

	test.each([
		[["serve", "--port", "0"]],
		[["demo", "--once", "--port", "0"]],
		[["serve", "--emulator", "--port", "0"]],
		[["company", "create", "Acme"]],
	])("%j begins nothing", (words) =>
		expectAdvice(createTempFolder(), words, DATABASE),
	);

	test.each([
		[["worker"]],
		[["key", "list"]],
		[["secrets", "rekey", "--yes"]],
		[["backup", "copy.db"]],
	])("%j changes nothing", (words) => expectAdvice(existing, words, DATABASE));

	test("inbox", () =>
		expectAdvice(
			existing,
			["inbox", "list", "--database", "inbox.db"],
			"the file is not touched.",
		));

	test("PostgreSQL needs no better-sqlite3", async () => {
		const { stderr } = await runPartnerwire(
			["key", "list", "--database", "postgres://127.0.0.1:1/none"],
			{
				env: {
					NODE_OPTIONS: `--require=${preload}`,
					PARTNERWIRE_SECRET_KEY: "ab".repeat(32),
				},
			},
		);
		expect(stderr).not.toContain("better-sqlite3");
	});
});
