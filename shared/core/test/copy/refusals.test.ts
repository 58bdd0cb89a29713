import { randomBytes } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import {
	type CopyOptions,
	copyDatabase,
	createCipher,
	openStore,
	type StorageError,
} from "@partnerwire/core";
import Sqlite from "better-sqlite3";
import { beforeEach, expect, test } from "vitest";
import { engineOf, newDatabase, tamper } from "#kit/database/database.ts";
import { onDatabase } from "#kit/database/database-client.ts";
import {
	addIntegration,
	newDatabasePath,
	openTestCore,
	rowsOf,
} from "#kit/database/open-core.ts";

const key = randomBytes(32);
const cipher = createCipher(key);
const other = createCipher(randomBytes(32));

/** A database with a company and an integration, on the engine of the project. */
async function openFilled() {
	const core = await openTestCore({ key, path: await newDatabase() });
	await addIntegration(core, core.caller);
	return core;
}

let from: string;
let to: string;
beforeEach(async () => {
	const core = await openFilled();
	await core.close();
	from = core.path;
	to = await newDatabase();
});

const copy = (options: Partial<CopyOptions> = {}) =>
	copyDatabase({
		from,
		to,
		fromCipher: cipher,
		toCipher: cipher,
		...options,
	});

const companiesOf = async (database: string) => {
	const store = await openStore(database);
	const companies = await rowsOf({ store }, "company");
	await store.close();
	return companies.length;
};

const expectRefused = async (
	options: Partial<CopyOptions>,
	code: StorageError["code"] | "secret_key",
	says: RegExp,
) => {
	const error = await copy(options).catch((caught) => caught);
	expect([error.code, error.message]).toEqual([
		code,
		expect.stringMatching(says),
	]);
};

test("a target with data is refused, and stays as it is", async () => {
	await copy();
	await expectRefused({}, "database_unreadable", /holds data already/);
	expect(await companiesOf(to)).toBe(1);
});

test("a target that was only started is filled; under another key it is refused", async () => {
	const started = await openStore(to);
	await started.close();
	await tamper(
		to,
		`insert into setting (name, value) values ('secret_key_check', '${other.encrypt("partnerwire", "secret_key_check")}')`,
	);
	await expectRefused({}, "secret_key", /is not the one/);
	await copy({ toCipher: other });
	expect(await companiesOf(to)).toBe(1);
});

test("a source that another process has open is refused, idle or not", async () => {
	const store = await openStore(from);
	await expectRefused({}, "database_busy", /stop every serve and worker/);
	await store.close();
	await copy();
});

test("a target that another process has open is refused", async () => {
	const store = await openStore(to);
	await expectRefused({}, "database_busy", /stop every serve and worker/);
	await store.close();
	await copy();
});

/** Writes without waiting for a lock. */
const writeAtOnce = async (database: string) => {
	const text = "update company set name = 'Other'";
	if (engineOf() === "postgres") {
		await onDatabase(database, (client) =>
			client.query(`set lock_timeout = '10ms'; ${text}`),
		);
		return;
	}
	const file = new Sqlite(database, { timeout: 0 });
	try {
		file.exec(text);
	} finally {
		file.close();
	}
};

test("nobody writes to the source while it is copied", async () => {
	const writes: Promise<unknown>[] = [];
	await copy({
		onProgress: () =>
			void writes.push(writeAtOnce(from).catch(({ code }) => code)),
	});
	expect(writes.length).toBeGreaterThan(3);
	for (const code of await Promise.all(writes))
		expect(code).toMatch(/^(SQLITE_BUSY|55P03)$/);
	await writeAtOnce(from);
});

test("the source's key is needed", async () => {
	await expectRefused(
		{ fromCipher: other },
		"secret_key",
		new RegExp(
			`\\(id ${other.keyId}\\) is not the one .*\\(id ${cipher.keyId}\\)`,
		),
	);
	expect(await companiesOf(to)).toBe(0);
});

test("a source of an older or a newer version is refused, and stays as it is", async () => {
	await tamper(
		from,
		"delete from migration where name = (select max(name) from migration)",
	);
	await expectRefused({}, "database_older", /start this version on it once/);
	await tamper(
		from,
		"insert into migration (name, applied_at) values ('9999-later', CURRENT_TIMESTAMP)",
	);
	await expectRefused({}, "database_newer", /upgrade this one/);
});

test("a target of an older version is not migrated", async () => {
	const older =
		"delete from migration where name = (select max(name) from migration)";
	await (await openStore(to)).close();
	await tamper(to, older);
	for (let time = 0; time < 2; time++)
		await expectRefused({}, "database_older", /start this version on it once/);
});

test("a copy that ends half-way leaves nothing, and the next one succeeds", async () => {
	for (const at of ["onProgress", "onVerified"] as const) {
		const failing = copy({
			[at](table: string) {
				if (table === "setting") throw new Error("ends here");
			},
		});
		await expect(failing).rejects.toThrow("ends here");
		expect(await companiesOf(to)).toBe(0);
	}
	await copy();
	expect(await companiesOf(to)).toBe(1);
});

test("a copy that is not the same is not kept", async () => {
	const path = newDatabasePath();
	await (await openStore(path)).close();
	const file = new Sqlite(path);
	file.exec(
		"create trigger spoil after insert on integration begin update integration set label = 'spoilt'; end",
	);
	file.close();
	await expectRefused(
		{ to: path },
		"database_io",
		/^The copy of the table integration is not the same: 1 of 1 rows/,
	);
	expect(await companiesOf(path)).toBe(0);
});

test.each([
	["nowhere.db", "There is no database"],
	["text.db", "is not a SQLite database"],
	["empty.db", "holds no data of Partnerwire"],
	["foreign.db", "is the SQLite database of another program"],
])("a source that is %s: %s", async (name, says) => {
	const path = newDatabasePath().replace("test.db", name);
	if (name === "text.db") writeFileSync(path, "text".repeat(1000));
	if (name === "empty.db") writeFileSync(path, "");
	if (name === "foreign.db")
		new Sqlite(path).exec("create table other (id integer)").close();
	await expectRefused({ from: path }, "database_unreadable", new RegExp(says));
	expect(existsSync(path)).toBe(name !== "nowhere.db");
});
