/* Names of files and folders with spaces and other letters, folders that refuse, and files as editors on Windows write them. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { verify } from "@partnerwire/receiver";
import { sqliteInbox } from "@partnerwire/receiver/sqlite";
import { TEST_SECRET } from "@partnerwire/receiver/testing";
import { beforeAll, expect, test } from "vitest";
import { CERTIFICATE } from "../kit/endpoints/certificates.ts";
import {
	runPartnerwire,
	startPartnerwire,
} from "../kit/program/partnerwire.ts";
import { readSource } from "../kit/sources.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

/** As an editor on Windows writes a text: a byte order mark, and CR LF. */
const asOnWindows = (text: string) =>
	`\uFEFF${text.trim().replaceAll("\n", "\r\n")}\r\n`;

async function run(cwd: string, ...args: string[]): Promise<string> {
	const { code, stdout, stderr } = await runPartnerwire(args, { cwd });
	expect([code, stderr], args.join(" ")).toEqual([0, ""]);
	return stdout;
}

async function serve(cwd: string, ...args: string[]): Promise<void> {
	const service = startPartnerwire(
		["serve", "--port", "0", "--json", ...args],
		{ cwd },
	);
	const { url } = await service.line("ready");
	expect((await fetch(`${url}/readyz`)).status).toBe(200);
	expect(await service.stop()).toBe(0);
}

test.each(["two words", "Zoë 日本 😀", "per%20cent #1?", `quote's "x"`])(
	"%j may be the name of the working directory, a database, its key, a backup, an inbox, a seed and certificates",
	async (name) => {
		const cwd = join(createTempFolder(), name);
		mkdirSync(cwd);
		const database = ["--database", `${name}.db`];
		await run(cwd, "company", "create", name, ...database);
		const key = join(cwd, `${name}.db.key`);
		writeFileSync(key, asOnWindows(readFileSync(key, "utf8")));
		await run(
			...[cwd, "user", "create", "--email", "a@b.example"],
			...["--first-name", "Ada", "--last-name", "Lovelace", ...database],
		);
		await run(cwd, "key", "create", "--label", name, "--read", ...database);
		writeFileSync(join(cwd, `${name}.pem`), asOnWindows(CERTIFICATE));
		await serve(cwd, ...database, "--ca", `${name}.pem`);
		await run(cwd, "backup", `${name} copy.db`, ...database);
		await sqliteInbox(join(cwd, `${name} inbox.db`)).close();
		await run(cwd, "inbox", "stats", "--database", `${name} inbox.db`);
		const seed = asOnWindows(readSource("fixtures/seed.json"));
		writeFileSync(join(cwd, `${name}.json`), seed);
		await serve(cwd, "--emulator", "--seed", `${name}.json`);
		expect(readdirSync(cwd).sort()).toEqual(
			[".db", ".db.key", ".json", ".pem", " copy.db", " inbox.db"]
				.map((suffix) => name + suffix)
				.sort(),
		);
	},
);

/** The kernel's folder, in which not even root can make a file. */
const READ_ONLY = "/sys";
const MISSING = "/nowhere/at-all";

let made: string;
beforeAll(async () => {
	made = createTempFolder();
	await run(made, "company", "create", "Acme");
});

test.each([
	[["serve", "--port", "0"], {}, /partnerwire\.db\.key cannot be created \(E/],
	[["company", "create", "A"], {}, /db\.key cannot be created \(E\w+\): the/],
	[
		["backup", "copy.db", "--database", "MADE/partnerwire.db"],
		{},
		/^partnerwire: The copy copy\.db cannot be written \(E\w+\): choose a folder/,
	],
	...[READ_ONLY, MISSING].flatMap((TMPDIR) =>
		[["demo"], ["serve", "--emulator"]].map(
			(words) =>
				[
					[...words, "--port", "0"],
					{ TMPDIR },
					/No folder can be made in \/\S+ \(E\w+\): set TMPDIR/,
				] as const,
		),
	),
	[
		["company", "create", "A", "--database", "MADE/a.db "],
		{},
		/\/a\.db " begins or ends with white space: leave that out/,
	],
] as const)(
	"%j with %j where nothing can be written says so in one sentence",
	async (args, env, sentence) => {
		const before = readdirSync(made);
		const { code, stdout, stderr } = await runPartnerwire(
			args.map((word) => word.replace("MADE", made)),
			{ cwd: READ_ONLY, env },
		);
		expect([code, stdout]).toEqual([1, ""]);
		expect(stderr).toMatch(sentence);
		expect(stderr.trim().split("\n")).toHaveLength(1);
		expect(readdirSync(made)).toEqual(before);
	},
);

test.each([
	["a working directory that cannot be written to", READ_ONLY, {}, []],
	["no home folder", undefined, { HOME: MISSING }, []],
	[
		"no temporary folder, for a database that stays",
		undefined,
		{ TMPDIR: MISSING },
		["--database", "demo.db"],
	],
])("the demo runs with %s", async (_, cwd, env, words) => {
	const { code, stdout, stderr } = await runPartnerwire(
		["demo", "--once", "--port", "0", ...words],
		{ cwd: cwd ?? createTempFolder(), env },
	);
	expect([code, stderr]).toEqual([0, ""]);
	expect(stdout).toContain("0 missing");
});

test.each([
	["--secret", ["--secret", `${TEST_SECRET}\r`], {}],
	["a variable", [], { PARTNERWIRE_WEBHOOK_SECRET: `"${TEST_SECRET}"\r\n` }],
])(
	"a line end of Windows behind the secret of %s is no part of it",
	async (_, words, env) => {
		const { stdout } = await runPartnerwire(["token", "sign", ...words], {
			env: { ...env },
		});
		expect(await verify(stdout.trim(), { secret: TEST_SECRET })).toMatchObject({
			ok: true,
		});
	},
);
