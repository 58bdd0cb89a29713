// The store on PostgreSQL in whatever schema `search_path` gives, and with other settings of a server.

import { eq } from "drizzle-orm";
import { expect, inject, test } from "vitest";
import { onDatabase } from "#kit/database/database-client.ts";
import { hold } from "#kit/database/holding.ts";
import { addPartner, openTestCore } from "#kit/database/open-core.ts";
import { toLockStatement } from "../../../src/db/postgres/advisory-lock.ts";
import { lockName } from "../../../src/delivery/sql/lock-integrations.ts";
import {
	migratePostgres,
	openStore,
	type PostgresClient,
	type Store,
} from "../../../src/index.ts";

const set = (name: string, value: string) => (db: Store["read"]) =>
	db.query.insert(db.tables.setting).values({ name, value });
const readValue = async (name: string, { read }: Store) => {
	const { setting } = read.tables;
	const [row] = await read.query
		.select()
		.from(setting)
		.where(eq(setting.name, name));
	return row?.value;
};

let made = 0;
/** A database on the same server, without tables, where `setUp` has run. */
async function createEmptyDatabase(setUp: string): Promise<URL> {
	const server = new URL(inject("postgres"));
	const name = `schemas_${process.pid}_${Date.now()}_${made++}`;
	await onDatabase(server.toString(), (client) =>
		client.query(`create database ${name}`),
	);
	server.pathname = name;
	await onDatabase(server.toString(), (client) => client.query(setUp));
	return server;
}
const inSchema = (database: URL, schema: string): string => {
	const there = new URL(database);
	there.searchParams.set("options", `-csearch_path=${schema}`);
	return there.toString();
};

test.each([
	[
		"of the role's name, by default",
		"",
		`create schema "postgres"`,
		"postgres",
	],
	[
		"beside an installation in public",
		"crm,public",
		"create schema crm",
		"crm",
	],
	[
		"with text search in a schema beside",
		"crm",
		"create schema crm; create schema extensions; create extension pg_trgm schema extensions",
		"crm",
	],
	[
		"of a database without public",
		"crm",
		"create schema crm; drop schema public",
		"crm",
	],
	["whose name needs quotes", `"My""Crm"`, `create schema "My""Crm"`, `My"Crm`],
])("tables go to the schema %s", async (_, path, setUp, schema) => {
	const database = await createEmptyDatabase(setUp);
	if (path.endsWith("public"))
		await (await openStore(database.toString())).close();
	const at = path === "" ? database.toString() : inSchema(database, path);
	const first = await openStore(at);
	await first.write(set("here", "yes"));
	await first.close();
	const again = await openStore(at);
	expect(await readValue("here", again)).toBe("yes");
	await again.close();
	const { rows } = await onDatabase(database.toString(), (client) =>
		client.query(
			"select distinct n.nspname from pg_class c join pg_namespace n on n.oid = relnamespace where relname in ('company', 'partner_search_name', 'setting')",
		),
	);
	expect(rows.map(({ nspname }) => nspname).sort()).toEqual(
		path.endsWith("public") ? [schema, "public"] : [schema],
	);
});

test("a search_path without a schema is refused in one sentence", async () => {
	const database = await createEmptyDatabase("select");
	await expect(openStore(inSchema(database, "nowhere"))).rejects.toThrow(
		/has no schema of those in search_path: create one/,
	);
});

test.each([
	["13.22", 130_022],
	["9.6.24", 90_624],
])(
	"a server of version %s is refused before anything is created there",
	async (version, number) => {
		const database = await createEmptyDatabase("select");
		await onDatabase(database.toString(), async (client) => {
			// The real server, which says that it is older.
			const older: PostgresClient = {
				async query(text, values) {
					const answer = await client.query(text, values);
					for (const row of answer.rows ?? [])
						if (row.number) Object.assign(row, { version, number });
					return answer;
				},
			};
			await expect(migratePostgres(older)).rejects.toMatchObject({
				code: "database_unreadable",
				message: `The server is PostgreSQL ${version}: Partnerwire needs version 14 or later.`,
			});
			const { rows } = await client.query(
				"select to_regclass('migration') as is",
			);
			expect(rows).toEqual([{ is: null }]);
		});
	},
);

test("installations in two schemas of a database do not wait for each other, the same company in both or not", async () => {
	const database = await createEmptyDatabase(
		"create schema a; create schema b",
	);
	const [a, b] = await Promise.all(
		["a", "b"].map((schema) => openStore(inSchema(database, schema))),
	);
	if (!a || !b) throw new TypeError("both are open");
	await a.write(async (db) => {
		await lockName(db, "alerts");
		await set("in a", "1")(db);
		// The other one's write ends while this one is open.
		await b.write(async (other) => {
			await lockName(other, "alerts");
			await set("in b", "1")(other);
		}, "company");
		expect(await readValue("in b", b)).toBe("1");
	}, "company");
	// The lock of a migration of the first.
	await hold(inSchema(database, "a"), toLockStatement("7276843012"));
	await (await openStore(inSchema(database, "b"))).close();
	await Promise.all([a.close(), b.close()]);
});

test("text is found whether or not the server reads backslashes in plain text", async () => {
	const database = await createEmptyDatabase("select");
	database.searchParams.set("options", "-cstandard_conforming_strings=off");
	const core = await openTestCore({ path: database.toString() });
	for (const name of ["50%_|\\ off", "50 off", "it's"])
		await addPartner(core, core.caller, name);
	const find = async (search: string) =>
		(
			await core.execute("listPartners", { query: { search } }, core.caller)
		).data.map(({ name }) => name);
	expect(await find("%_|\\")).toEqual(["50%_|\\ off"]);
	expect(await find("T'S")).toEqual(["it's"]);
	await core.close();
});
