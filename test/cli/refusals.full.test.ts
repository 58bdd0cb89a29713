import { once } from "node:events";
import {
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { startDemoService } from "../kit/program/demo-service.ts";
import { runPartnerwire } from "../kit/program/partnerwire.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

/** A database with a company, made by the command line. */
async function createDatabase(): Promise<string> {
	const database = join(createTempFolder(), "test.db");
	expect(
		(
			await runPartnerwire([
				"company",
				"create",
				"Acme",
				"--database",
				database,
			])
		).code,
	).toBe(0);
	return database;
}

async function refusalOf(
	args: string[],
	env: Record<string, string> = {},
): Promise<string> {
	const { code, stderr, stdout } = await runPartnerwire(args, { env });
	expect(code).toBe(1);
	expect(stdout).toBe("");
	expect(stderr.trim().split("\n")).toHaveLength(1);
	expect(stderr).not.toMatch(/\n\s+at /);
	return stderr;
}

/** A port on which another server listens. */
async function takePort(): Promise<string> {
	const taken = createServer().listen(0, "127.0.0.1");
	onTestFinished(() => {
		taken.close();
	});
	await once(taken, "listening");
	return String((taken.address() as AddressInfo).port);
}

test.each([["demo"], ["serve", "--demo"]])(
	"%s on a port in use shows no keys",
	async (...words) => {
		const port = await takePort();
		const database = join(createTempFolder(), "test.db");
		expect(
			await refusalOf([...words, "--port", port, "--database", database]),
		).toContain(`port ${port} of 127.0.0.1 is in use`);
	},
);

test.each([
	["key", "list"],
	["key", "create", "--label", "First"],
	["key", "revoke", "0190b1e0-0000-7000-8000-000000000001"],
	["company", "module", "api_mcp", "on"],
	[
		...["user", "create", "--email", "a@b.example"],
		...["--first-name", "Ada", "--last-name", "Lovelace"],
	],
	["worker"],
])("%s %s needs a database, and makes none", async (...words) => {
	const folder = createTempFolder();
	const database = join(folder, "test.db");
	expect(await refusalOf([...words, "--database", database])).toContain(
		`there is no database ${database}: create a company first with \`partnerwire company create NAME\``,
	);
	expect(readdirSync(folder)).toEqual([]);
});

test("a port in use is one sentence", async () => {
	const port = await takePort();
	const database = await createDatabase();
	const said = `port ${port} of 127.0.0.1 is in use`;
	expect(
		await refusalOf(["serve", "--port", port, "--database", database]),
	).toContain(said);
	expect(
		await refusalOf([
			"listen",
			"--secret",
			"6f1c2b9e-6a51-4d0b-9a53-7f0d5a0c1e11",
			"--port",
			port,
		]),
	).toContain(said);
});

test("a file that is not a database, a folder, and a missing folder are one sentence each", async () => {
	const folder = createTempFolder();
	const text = join(folder, "notes.txt");
	writeFileSync(
		text,
		"this is not a database, whatever its name says ".repeat(20),
	);
	writeFileSync(`${text}.key`, `${"ab".repeat(32)}\n`);
	mkdirSync(join(folder, "dir.db"));
	expect(
		await refusalOf(["serve", "--port", "0", "--database", text]),
	).toContain("is not a SQLite database");
	expect(
		await refusalOf([
			"serve",
			"--port",
			"0",
			"--database",
			join(folder, "dir.db"),
		]),
	).toContain("is not a file");
	expect(
		await refusalOf([
			"serve",
			"--port",
			"0",
			"--database",
			join(folder, "no/x.db"),
		]),
	).toContain("does not exist");
});

test("a first start on a full disk leaves nothing that a later one trips over", async () => {
	const folder = createTempFolder();
	const database = join(folder, "test.db");
	const create = ["company", "create", "Acme", "--database", database];
	const first = await runPartnerwire(create, { limit: "-f 0" });
	expect(first).toMatchObject({ code: 1, stdout: "" });
	expect(first.stderr).toMatch(/^[^\n]*The key file [^\n]*\.\n$/);
	expect(readdirSync(folder)).toEqual([]);
	expect((await runPartnerwire(create)).code).toBe(0);
});

test("a database of a newer version is refused and left as it is", async () => {
	const database = await createDatabase();
	const raw = new Sqlite(database);
	raw.prepare("INSERT INTO migration VALUES ('9999-from-the-future', 0)").run();
	raw.close();
	const said = await refusalOf([
		"serve",
		"--port",
		"0",
		"--database",
		database,
	]);
	expect(said).toContain("written by a newer version of Partnerwire");
});

test("a wrong, a malformed and a missing secret key are refused", async () => {
	const database = await createDatabase();
	const serve = ["serve", "--port", "0", "--database", database];
	const key = readFileSync(`${database}.key`, "utf8").trim();
	const other = key.replace(/^../, (start) => (start === "00" ? "11" : "00"));
	const said = await refusalOf(serve, { PARTNERWIRE_SECRET_KEY: other });
	expect(said).toContain("is not the one that this database was written with");
	expect(said).not.toContain(other);
	expect(await refusalOf(serve, { PARTNERWIRE_SECRET_KEY: "short" })).toContain(
		"must be 32 bytes",
	);
	rmSync(`${database}.key`);
	expect(await refusalOf(serve)).toContain("is missing; put it back");
});

test("a PostgreSQL server that is not there is one sentence, without the password", async () => {
	const database = "postgres://ada:hunter2@127.0.0.1:9/x";
	const serve = ["serve", "--database", database];
	expect(await refusalOf(serve)).toContain("needs PARTNERWIRE_SECRET_KEY");
	const refusal = await refusalOf(serve, {
		PARTNERWIRE_SECRET_KEY: "0".repeat(64),
	});
	expect(refusal).toContain("cannot be reached");
	expect(refusal).not.toContain("hunter2");
});

test("a service that is not there is one sentence", async () => {
	const args = [
		"integration",
		"list",
		"--url",
		"http://127.0.0.1:9",
		"--api-key",
		"pwk_x",
	];
	expect(await refusalOf(args)).toContain(
		"http://127.0.0.1:9 cannot be reached",
	);
});

test("an address that ends in /v1, which each path begins with, is told so", async () => {
	const { url, keys } = await startDemoService(createTempFolder());
	const args = ["integration", "list", "--url", `${url}/v1`];
	expect(await refusalOf([...args, "--api-key", keys.full])).toContain(
		"route not found (each path begins with /v1: leave it out at the end of the service's address)",
	);
});
