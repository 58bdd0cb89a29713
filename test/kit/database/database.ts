import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import type pg from "pg";
import { inject } from "vitest";
import { reportEngine } from "../engines.ts";
import { createTempFolder } from "../temp-folder.ts";
import { onDatabase } from "./database-client.ts";

declare module "vitest" {
	interface ProvidedContext {
		/** The URL of the server on which tests create databases, in projects that run on PostgreSQL. */
		postgres: string;
		/** The schema of the tables in those databases, if it is not `public`. */
		postgresSchema?: string | undefined;
		/** Name and version of the server at that URL. */
		engines?: (readonly [name: string, version: string])[];
		/** The same server without the pooler that `postgres` goes through, if there is one. */
		directPostgres: string;
	}
}

/** The engine that the project's suites run on. */
export const engineOf = (): "sqlite" | "postgres" =>
	inject("postgres") ? "postgres" : "sqlite";

/** A database that is migrated once. Each test's database is a copy of it. */
export const TEMPLATE = "partnerwire_template";

const made: string[] = [];
const released: string[] = [];
const dropped = new Set<string>();

const nameOf = (url: string) => new URL(url).pathname.slice(1);

/** An empty database for one test, on the engine that the project's suites run on. */
export async function newDatabase(): Promise<string> {
	const server = inject("postgres");
	const database = server
		? await newOnServer(server)
		: join(createTempFolder(), "test.db");
	const engines = inject("engines") ?? [["SQLite", readSqliteVersion()]];
	for (const [name, version] of engines) reportEngine(name, version);
	return database;
}

function readSqliteVersion(): string {
	const client = new Sqlite(":memory:");
	const version = client.prepare("SELECT sqlite_version()").pluck().get();
	client.close();
	return String(version);
}

async function newOnServer(server: string): Promise<string> {
	const free = released.pop();
	if (free) {
		await onDatabase(free, empty);
		return free;
	}
	const name = `test_${process.pid}_${made.length}_${Date.now()}`;
	await onDatabase(server, (client) =>
		client.query(`create database ${name} template ${TEMPLATE}`),
	);
	made.push(name);
	const url = new URL(server);
	url.pathname = name;
	// Each connection is a new server process, whose caches are empty.
	url.searchParams.set("pool_size", "4");
	const schema = inject("postgresSchema");
	if (schema) url.searchParams.set("options", `-csearch_path=${schema}`);
	return url.toString();
}

/** Releases a database for the next test. Emptying it is ten times as fast as creating a new one. */
export function releaseDatabase(database: string): void {
	// A database that is closed after the end of its test file was dropped already.
	if (engineOf() === "postgres" && !dropped.has(nameOf(database)))
		released.push(database);
}

async function empty(client: pg.Client): Promise<void> {
	const { rows: tables } = await client.query(
		"select table_name as name from information_schema.tables where table_schema = current_schema() and table_name <> 'migration'",
	);
	await client.query(
		[
			// This switches off foreign keys and counting triggers meanwhile.
			"begin; set local session_replication_role = replica",
			...tables.map(({ name }) => `delete from "${name}"`),
			"select setval(format('%I.%I', schemaname, sequencename)::regclass, 1, false) from pg_sequences",
			"commit",
		].join(";"),
	);
}

/** Drops the databases that the test file made. `test/kit/each-file.ts` calls it. */
export async function removeDatabases(): Promise<void> {
	const kept = new Set(released.map(nameOf));
	for (const name of made.splice(0).filter((one) => !kept.has(one))) {
		dropped.add(name);
		await onDatabase(inject("postgres"), (client) =>
			client.query(`drop database if exists ${name} with (force)`),
		);
	}
}

/** Runs a statement on a database without the service knowing of it. */
export async function tamper(database: string, text: string): Promise<void> {
	if (engineOf() === "postgres") {
		await onDatabase(database, (client) => client.query(text));
		return;
	}
	const file = new Sqlite(database);
	file.exec(text);
	file.close();
}

/** The whole content of a database as text. A search in it finds every value that is stored in clear. */
export async function readEverything(database: string): Promise<string> {
	if (engineOf() === "sqlite")
		return ["", "-wal"]
			.filter((end) => existsSync(database + end))
			.map((end) => readFileSync(database + end, "latin1"))
			.join("");
	return onDatabase(database, async (client) => {
		const { rows: names } = await client.query(
			"select table_name as name from information_schema.tables where table_schema = current_schema()",
		);
		let all = "";
		for (const { name } of names) {
			const { rows } = await client.query(
				`select t::text as row from "${name}" t`,
			);
			all += rows.map(({ row }) => row).join("\n");
		}
		return all;
	});
}
