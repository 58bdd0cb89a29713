import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { copyDatabase, createCipher } from "@partnerwire/core";
import { beforeAll, expect, test } from "vitest";
import { newDatabase } from "#kit/database/database.ts";
import { onDatabase } from "#kit/database/database-client.ts";
import { newDatabasePath } from "#kit/database/open-core.ts";
import { openIntegration } from "../../src/secrets/integration-secrets.ts";
import { fillTables, ROWS, readTables } from "../support/fill-tables.ts";

/** Earlier than every rotation. */
const BEFORE = Number.NEGATIVE_INFINITY;
const cipher = createCipher(randomBytes(32));
const ciphers = { fromCipher: cipher, toCipher: cipher };
let filled: string;
let rows: Awaited<ReturnType<typeof readTables>>;
beforeAll(async () => {
	filled = newDatabasePath();
	await fillTables(filled, cipher);
	rows = await readTables(filled);
});

test("every table has rows with every kind of value", () => {
	for (const [name, made] of Object.entries(rows))
		expect([name, made.length]).toEqual([
			name,
			name === "recordCount" ? expect.any(Number) : ROWS,
		]);
	expect(rows.recordCount?.length).toBeGreaterThan(ROWS);
});

test("all rows are the same after SQLite to PostgreSQL, to PostgreSQL, to SQLite, to SQLite", async () => {
	const route = [
		filled,
		await newDatabase(),
		await newDatabase(),
		newDatabasePath(),
		newDatabasePath(),
	];
	const told: unknown[] = [];
	for (const [at, to] of route.slice(1).entries()) {
		const verified = new Map<string, unknown>();
		const from = route[at] as string;
		const options = { from, to, ...ciphers };
		const copied = await copyDatabase({
			...options,
			onVerified: (table, content) => verified.set(table, content),
		});
		expect(copied.tables).toBe(Object.keys(rows).length);
		told.push(Object.fromEntries(verified));
		expect(await readTables(to)).toEqual(rows);
	}
	// The checksums are those of the content, whatever engine it is on.
	for (const each of told) expect(each).toEqual(told[0]);
});

/** Indexes, constraints and triggers with their definitions. */
const SCHEMA = `select pg_get_indexdef(indexrelid) as item from pg_index join pg_class c on c.oid = indrelid where relnamespace = current_schema()::regnamespace
	union all select conname || ' ' || conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint where connamespace = current_schema()::regnamespace
	union all select tgname || ' ' || tgenabled::text from pg_trigger where not tgisinternal
	order by 1`;
const IDENTITIES = `select table_name as name, nextval(pg_get_serial_sequence(table_name, column_name))::int as next
	from information_schema.columns where is_identity = 'YES' and table_name <> 'record_count'`;

test("PostgreSQL has its indexes, foreign keys and triggers again, and ids follow the highest", async () => {
	const [never, to] = [await newDatabase(), await newDatabase()];
	await copyDatabase({ from: filled, to, ...ciphers });
	const read = (database: string, text: string) =>
		onDatabase(database, async (client) => (await client.query(text)).rows);
	const schema = await read(never, SCHEMA);
	expect(schema.length).toBeGreaterThan(300);
	expect(await read(to, SCHEMA)).toEqual(schema);
	const identities = await read(to, IDENTITIES);
	expect(identities.length).toBeGreaterThan(20);
	for (const { name, next } of identities)
		expect([name, next]).toEqual([name, 1001]);
});

test("under another key all secrets open, and only under that", async () => {
	const toCipher = createCipher(randomBytes(32));
	for (const to of [await newDatabase(), newDatabasePath()]) {
		await copyDatabase({ from: filled, to, fromCipher: cipher, toCipher });
		const copied = await readTables(to);
		const integrations = copied.integration as never[];
		expect(integrations).toHaveLength(ROWS);
		for (const integration of integrations) {
			const opened = openIntegration(integration, toCipher, BEFORE);
			expect(opened.secret).toBe("signs");
			expect(() => openIntegration(integration, cipher, BEFORE)).toThrow(
				"under another secret key",
			);
		}
		const changed = Object.keys(rows).filter(
			(name) => !isDeepStrictEqual(rows[name], copied[name]),
		);
		expect(changed).toEqual(["integration", "idempotency", "setting"]);
	}
});

test("a service that starts on PostgreSQL meanwhile is noticed, and nothing is kept", async () => {
	const [from, to] = [await newDatabase(), newDatabasePath()];
	await copyDatabase({ from: filled, to: from, ...ciphers });
	const url = new URL(from);
	url.searchParams.set("application_name", "partnerwire");
	let disconnect = () => {};
	const end = new Promise<void>((resolve) => {
		disconnect = resolve;
	});
	const connected: Promise<unknown>[] = [];
	const copying = copyDatabase({
		from,
		to,
		...ciphers,
		onProgress() {
			connected[0] ??= onDatabase(url.toString(), () => end);
		},
	});
	await expect(copying).rejects.toThrow("is in use: stop every serve");
	disconnect();
	await Promise.all(connected);
	expect((await readTables(to)).company).toEqual([]);
});
