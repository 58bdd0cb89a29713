import {
	chmodSync,
	chownSync,
	existsSync,
	mkdirSync,
	readFileSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { newDatabasePath } from "#kit/database/open-core.ts";
import { toReason } from "#kit/to-reason.ts";
import { sqliteMigrations } from "../../src/db/sqlite/migrations.generated.ts";
import { findRows } from "../../src/db/sqlite/search.ts";
import { openSqliteStore, openStore, StorageError } from "../../src/index.ts";
import { foldText } from "../../src/values/fold-case.ts";
import { withFile } from "../support/with-file.ts";

/** The message of a failed open, which must be one sentence on one line that names the path. */
function openError(path: string, named = path): StorageError {
	try {
		void openSqliteStore(path).close();
	} catch (error) {
		expect(error).toBeInstanceOf(StorageError);
		const { message } = error as StorageError;
		expect(message).toMatch(/^[^\n]+\.$/);
		expect(message).toContain(named);
		return error as StorageError;
	}
	throw new Error(`${path} was opened`);
}

const appliedTo = (path: string) =>
	withFile(path, (file) =>
		file.prepare("select name from migration order by name").pluck().all(),
	);
const known = sqliteMigrations.map(({ name }) => name);

test("a fresh database gets every migration, and an opened one gets none twice", async () => {
	const path = newDatabasePath();
	await openSqliteStore(path).close();
	expect(appliedTo(path)).toEqual(known);
	const schema = () =>
		withFile(path, (file) =>
			file.prepare("select name, sql from sqlite_schema order by name").all(),
		);
	const before = schema();
	await openSqliteStore(path).close();
	expect(schema()).toEqual(before);
	expect(appliedTo(path)).toEqual(known);
});

test("a search finds what was written before its index was rebuilt", async () => {
	const path = newDatabasePath();
	const names = Array.from({ length: 130 }, (_, n) => `Lead ${n}`);
	withFile(path, (file) => {
		file.function("fold", (text) => foldText(String(text)));
		file.pragma("foreign_keys = off");
		file.exec("begin");
		file.exec(
			"create table migration (name text primary key not null, applied_at integer not null)",
		);
		for (const { name, sql } of sqliteMigrations.slice(
			0,
			known.indexOf("0016-found-rows"),
		)) {
			file.exec(sql);
			file.prepare("insert into migration values (?, 0)").run(name);
		}
		file.exec(`insert into company (uuid, name, created_at, updated_at) values ('c', 'Fernhill', 0, 0);
			insert into partner (uuid, company_uuid, name, partner_type, created_at, updated_at) values ('p', 'c', 'Globex', 'referral', 0, 0)`);
		const insert = file.prepare(
			`insert into lead (uuid, company_uuid, partnership_uuid, company_name, status, direction, created_at, updated_at, archived_at)
			values (?, 'c', 'p', ?, 'new', 'sent', 0, 0, ?)`,
		);
		for (const name of names)
			insert.run(name, name, name === "Lead 7" ? 1 : null);
		file.exec("commit");
	});
	const store = openSqliteStore(path);
	const { lead } = store.tables;
	const find = async (text: string) => {
		const index = {
			table: "lead",
			uuid: lead.uuid,
			columns: [lead.companyName],
		} as const;
		const { table, where } = findRows(index, text);
		const { uuid, companyUuid, createdAt, archivedAt } = table;
		return store.read.query
			.select({ uuid, companyUuid, createdAt, archivedAt })
			.from(table)
			.where(where);
	};
	expect(await find("LEAD 7")).toHaveLength(11);
	expect(await find("Lead 129")).toEqual([
		{ uuid: "Lead 129", companyUuid: "c", createdAt: 0, archivedAt: null },
	]);
	const [seventh] = await find("ead 7");
	expect(seventh).toEqual({
		uuid: "Lead 7",
		companyUuid: "c",
		createdAt: 0,
		archivedAt: 1,
	});
	await store.close();
});

test("the migrated tables have every column of the schema, and no foreign key is broken", async () => {
	const path = newDatabasePath();
	const store = openSqliteStore(path);
	for (const table of Object.values(store.tables))
		await expect(store.read.query.select().from(table)).resolves.toEqual([]);
	await store.close();
	expect(withFile(path, (file) => file.pragma("foreign_key_check"))).toEqual(
		[],
	);
});

test("a database of a newer version is refused, untouched", async () => {
	const path = newDatabasePath();
	await openSqliteStore(path).close();
	withFile(path, (file) =>
		file.exec("insert into migration values ('9999-from-the-future', 0)"),
	);
	const error = openError(path, "9999-from-the-future");
	expect(error.code).toBe("database_newer");
	expect(error.message).toMatch(/newer version/);
	expect(appliedTo(path)).toEqual([...known, "9999-from-the-future"]);
});

test("a migration that fails leaves nothing of itself", () => {
	const path = newDatabasePath();
	withFile(path, (file) =>
		file.exec(
			"create table migration (name text primary key not null, applied_at integer not null); create table lead (mine text)",
		),
	);
	expect(() => openSqliteStore(path)).toThrow();
	const names = withFile(path, (file) =>
		file
			.prepare("select name from sqlite_schema where type = 'table'")
			.pluck()
			.all(),
	);
	expect(names).toEqual(["migration", "lead"]);
});

test("a SQLite database of another program is refused, untouched", () => {
	const path = newDatabasePath();
	withFile(path, (file) => file.exec("create table cookies (mine text)"));
	const before = readFileSync(path);
	const error = openError(path);
	expect(error.code).toBe("database_unreadable");
	expect(error.message).toMatch(/another program/);
	expect(readFileSync(path)).toEqual(before);
	expect(existsSync(`${path}-wal`)).toBe(false);
});

test("a file that can only be read is refused", async () => {
	const path = newDatabasePath();
	await openSqliteStore(path).close();
	chmodSync(path, 0o444);
	const error = asOwnerWithoutPrivileges(path, () => openError(path));
	expect(error.code).toBe("database_unreadable");
	expect(error.message).toMatch(/not written/);
});

/** Permissions do not apply to root, so root runs this as the user nobody. */
function asOwnerWithoutPrivileges<Result>(path: string, run: () => Result) {
	if (process.getuid?.() !== 0) return run();
	const NOBODY = 65_534;
	for (const owned of [dirname(path), path]) chownSync(owned, NOBODY, NOBODY);
	process.seteuid?.(NOBODY);
	try {
		return run();
	} finally {
		process.seteuid?.(0);
	}
}

test("a file that is not a database is refused, untouched", () => {
	const path = newDatabasePath();
	writeFileSync(
		path,
		"This is not a database, however long the text is.".repeat(50),
	);
	expect(openError(path).code).toBe("database_unreadable");
	expect(existsSync(`${path}-wal`)).toBe(false);
});

test("a folder that does not exist, and a folder as the path, are refused", () => {
	const path = newDatabasePath();
	const missing = join(dirname(path), "missing", "test.db");
	expect(openError(missing, dirname(missing)).code).toBe("database_unreadable");
	expect(existsSync(dirname(missing))).toBe(false);
	mkdirSync(path);
	expect(openError(path).code).toBe("database_unreadable");
});

test("an empty file becomes a database", async () => {
	const path = newDatabasePath();
	writeFileSync(path, "");
	await openSqliteStore(path).close();
	expect(appliedTo(path)).toEqual(known);
});

test("a new database and its log are for their owner alone, whatever the umask", async () => {
	const umask = process.umask(0o022);
	try {
		const path = newDatabasePath();
		const store = openSqliteStore(path);
		for (const suffix of ["", "-wal", "-shm"])
			expect(statSync(path + suffix).mode & 0o777, suffix).toBe(0o600);
		await store.close();
	} finally {
		process.umask(umask);
	}
});

test.each([
	"mysql://ada:S3cret@h/db",
	"jdbc:postgresql://ada:S3cret@h/db",
	'"postgres://ada:S3cret@h/db"',
])("the URL %s is no file, and is not repeated", async (url) => {
	const error = await toReason(openStore(url));
	expect(error).toMatch(/must be the path of a file, or a postgres:\/\/ URL/);
	expect(error).not.toContain("S3cret");
});
