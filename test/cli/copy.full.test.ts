import { randomBytes } from "node:crypto";
import {
	existsSync,
	readdirSync,
	readFileSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createCipher } from "@partnerwire/core";
import { beforeAll, expect, test } from "vitest";
import { runPartnerwire } from "../kit/program/partnerwire.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

let folder: string;
const inFolder = (args: string[], env: Record<string, string> = {}) =>
	runPartnerwire(args, { cwd: folder, env });
beforeAll(async () => {
	folder = createTempFolder();
	const made = await inFolder(["company", "create", "Acme"]);
	expect(made.code).toBe(0);
});

const PASSWORD = "s3cret-password";
const FROM = ["--from", "partnerwire.db"];

test.each<[string[], number, RegExp, Record<string, string>?]>([
	[[], 2, /give --from and --to, or set PARTNERWIRE_FROM/],
	[FROM, 2, /give --from and --to/],
	[["--to", "new.db"], 2, /give --from and --to/],
	[[...FROM, "--to", "partnerwire.db"], 2, /are the same database/],
	[[...FROM, "--to", ""], 2, /--to must be the path of a file, or/],
	[["--from", "mysql://h/d", "--to", "new.db"], 2, /--from must be/],
	[[...FROM, "--to", "$POSTGRES_URL"], 2, /--to .* name of a variable/],
	[[...FROM, "--to", "new.db", "extra"], 2, /1 words given/],
	[FROM, 2, /PARTNERWIRE_TO must be/, { PARTNERWIRE_TO: "ftp://h/d" }],
	[[...FROM, "--to", `postgres://u:${PASSWORD}@[::1`], 2, /--to cannot be/],
	[["--from", "nowhere.db", "--to", "new.db"], 1, /there is no database no/],
	[[...FROM, "--to", "nowhere/new.db"], 1, /The folder nowhere .* not exist/],
	[[...FROM, "--to", `postgres://u:${PASSWORD}@127.0.0.1:1/d`], 1, /reached/],
	[
		["--from", `postgres://u:${PASSWORD}@127.0.0.1:1/d`, "--to", "new.db"],
		1,
		/needs PARTNERWIRE_SECRET_KEY/,
	],
	[
		[...FROM, "--to", "new.db"],
		1,
		/PARTNERWIRE_NEXT_SECRET_KEY must be 32 bytes/,
		{ PARTNERWIRE_NEXT_SECRET_KEY: PASSWORD },
	],
	[
		[...FROM, "--to", "new.db"],
		1,
		/is not the one .* Its key is in partnerwire\.db\.key: unset/,
		{ PARTNERWIRE_SECRET_KEY: "ab".repeat(32) },
	],
])("copy %j exits with %i: %s", async (args, code, says, env) => {
	const ended = await inFolder(["copy", ...args], env);
	expect([ended.code, ended.stdout]).toEqual([code, ""]);
	expect(ended.stderr).toMatch(says);
	expect(ended.stderr).not.toContain(PASSWORD);
	expect(ended.stderr.trim().split("\n")).toHaveLength(code);
	expect(readdirSync(folder).sort()).toEqual([
		"partnerwire.db",
		"partnerwire.db.key",
	]);
});

const keyIdOf = (hex: string) =>
	createCipher(Buffer.from(hex.trim(), "hex")).keyId;

test("the new database gets the source's key file, a key file of its own, or the next key", async () => {
	const from = join(folder, "partnerwire.db");
	const key = readFileSync(`${from}.key`, "utf8");
	const next = randomBytes(32).toString("hex");
	const elsewhere = createTempFolder();
	writeFileSync(join(elsewhere, "own.db.key"), next);
	for (const [name, written, env] of [
		["same.db", key, {}],
		["own.db", next, {}],
		["next.db", next, { PARTNERWIRE_NEXT_SECRET_KEY: next }],
	] as const) {
		const to = join(elsewhere, name);
		const ended = await inFolder(["copy", "--from", from, "--to", to], env);
		expect([ended.code, ended.stderr]).toEqual([0, ""]);
		expect(ended.stdout).toContain(`under the key ${keyIdOf(written)}:`);
		for (const secret of [key.trim(), next])
			expect(ended.stdout).not.toContain(secret);
		expect(existsSync(`${to}.key`)).toBe(name !== "next.db");
		const person = ["--email", "a@b.example", "--first-name", "Ada"];
		const opened = await inFolder(
			["user", "create", ...person, "--last-name", "L", "--database", to],
			name === "next.db" ? { PARTNERWIRE_SECRET_KEY: next } : {},
		);
		expect([opened.code, opened.stderr]).toEqual([0, ""]);
	}
	expect(readFileSync(join(elsewhere, "same.db.key"), "utf8")).toBe(key);
	expect(statSync(join(elsewhere, "same.db.key")).mode & 0o777).toBe(0o600);
});
