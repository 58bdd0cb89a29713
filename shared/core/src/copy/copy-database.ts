import { sql } from "drizzle-orm";
import { type Content, createInsert, readTable } from "../db/copy-rows.ts";
import type { Side } from "../db/copy-side.ts";
import type { Db } from "../db/db.ts";
import { toPostgresFault } from "../db/postgres/faults.ts";
import { describeDatabase, isPostgresUrl } from "../db/postgres/url.ts";
import { toStorageError } from "../db/sqlite/faults.ts";
import {
	openSqliteSource,
	openSqliteTarget,
} from "../db/sqlite/open-copy-side.ts";
import { StorageError } from "../db/storage-error.ts";
import type { Tables } from "../db/tables.ts";
import { requireSameKey } from "../secrets/check-key.ts";
import type { Cipher } from "../secrets/cipher.ts";
import { rekeyRows } from "../secrets/rekey.ts";
import { addKeyFileHint } from "../secrets/secret-key.ts";
import { SecretKeyError } from "../secrets/secret-key-error.ts";

export interface CopyOptions {
	/** Two databases, each the path of a SQLite file or a `postgres://` URL. */
	readonly from: string;
	readonly to: string;
	/** The keys under which secrets are encrypted in each. */
	readonly fromCipher: Cipher;
	readonly toCipher: Cipher;
	/** Called while a table is copied. */
	readonly onProgress?: (table: string, done: number, total: number) => void;
	/** Called when all is verified; the next step makes the copy last. */
	readonly beforeCommit?: (() => void) | undefined;
	/** Called when a table was read back, and is the same in both. */
	readonly onVerified?: (table: string, content: Content) => void;
}

/**
 * Copies all tables of a database into one without data, on any engine. It is one transaction of the target: all of it
 * is there and verified, or nothing. Throws a `StorageError` or a `SecretKeyError` of one sentence, if another process
 * uses one of the two, the source was written by another version, the target has data, or a key is not the database's.
 */
export async function copyDatabase(
	options: CopyOptions,
): Promise<{ tables: number; rows: number }> {
	const { from, to, fromCipher, toCipher } = options;
	const source = await openSource(from);
	try {
		await requireKey(source.db, fromCipher, from);
		const target = await openTarget(to);
		try {
			await refuseData(target.db, describeDatabase(to));
			await requireKey(target.db, toCipher, to);
			const rows = await copyTables(source.db, target.db, options);
			if (fromCipher.keyId !== toCipher.keyId)
				await rekeyRows(target.db, fromCipher, toCipher);
			await source.refuseInUse();
			options.beforeCommit?.();
			await target.commit();
			return { tables: tablesOf(source.db).length, rows };
		} finally {
			await target.close();
		}
	} catch (error) {
		if (error instanceof StorageError) throw error;
		throw toStorageError(error) ?? toPostgresFault(error) ?? error;
	} finally {
		await source.close();
	}
}

/** Throws, with the name of the database, if it was written under another key. */
const requireKey = (db: Db, cipher: Cipher, database: string): Promise<void> =>
	requireSameKey(db, cipher).catch((error) => {
		if (!(error instanceof SecretKeyError)) throw error;
		const { message } = addKeyFileHint(error, database) as Error;
		throw new SecretKeyError(`${describeDatabase(database)}: ${message}`);
	});

/** The tables in the order of their definition: the counters of records come after the records. */
const tablesOf = (db: Db) => Object.keys(db.tables) as (keyof Tables)[];

async function openSource(database: string): Promise<Side> {
	if (!isPostgresUrl(database)) return openSqliteSource(database);
	const { openPostgresSource } = await import(
		"../db/postgres/open-copy-side.ts"
	);
	return openPostgresSource(database);
}

async function openTarget(database: string): Promise<Side> {
	if (!isPostgresUrl(database)) return openSqliteTarget(database);
	const { openPostgresTarget } = await import(
		"../db/postgres/open-copy-side.ts"
	);
	return openPostgresTarget(database);
}

/** A database that was only started has settings and nothing else. */
async function refuseData({ query, tables }: Db, where: string) {
	for (const [name, table] of Object.entries(tables)) {
		if (name === "setting") continue;
		const found = await query.select({ one: sql`1` }).from(table).limit(1);
		if (found.length > 0)
			throw new StorageError(
				"database_unreadable",
				`${where} holds data already: copy into a new database.`,
			);
	}
}

async function copyTables(
	source: Db,
	target: Db,
	{ onProgress, onVerified }: CopyOptions,
): Promise<number> {
	const contents = new Map<keyof Tables, Content>();
	for (const name of tablesOf(source)) {
		const table = source.tables[name];
		const [counted] = await source.query
			.select({ rows: sql<number>`count(*)` })
			.from(table);
		// Triggers may have filled it, such as the one that counts records, or an earlier start.
		await target.query.delete(target.tables[name]);
		const insert = createInsert(target, name);
		let done = 0;
		const content = await readTable(source, name, async (rows) => {
			await insert(rows);
			done += rows.length;
			onProgress?.(name, done, Number(counted?.rows));
		});
		contents.set(name, content);
	}
	let rows = 0;
	for (const [name, content] of contents) {
		const copied = await readTable(target, name);
		if (copied.checksum !== content.checksum)
			throw new StorageError(
				"database_io",
				`The copy of the table ${name} is not the same: ${copied.rows} of ${content.rows} rows, checksum ${copied.checksum} instead of ${content.checksum}. Nothing was kept.`,
			);
		onVerified?.(name, content);
		rows += content.rows;
	}
	return rows;
}
