import { eq, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type { PgTable } from "drizzle-orm/pg-core";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPostgres } from "#kit/database/postgres.ts";
import { postgresDialect } from "../../../src/db/dialect.ts";
import { postgresMigrations } from "../../../src/db/postgres/migrations.generated.ts";
import { tables } from "../../../src/db/postgres/schema.ts";
import { migratePostgres, newUuid } from "../../../src/index.ts";

let server: Awaited<ReturnType<typeof openPostgres>>;
let client: pg.PoolClient;
let db: NodePgDatabase;
beforeAll(async () => {
	server = await openPostgres();
	client = await server.pool.connect();
	// This loads pg, so it comes after the helper that makes pg loadable here.
	const { drizzle } = await import("drizzle-orm/node-postgres");
	db = drizzle(client);
});
afterAll(async () => {
	client?.release();
	await server?.close();
});

// The schema has SQLite's types, but here it is PostgreSQL's at run time.
const table = (name: keyof typeof tables) => tables[name] as unknown as PgTable;
const applied = async () =>
	(await client.query("select name, applied_at from migration order by name"))
		.rows;

const NOW = Date.UTC(2026, 10, 27, 12);
const companyUuid = newUuid(NOW);
const times = { createdAt: NOW, updatedAt: NOW };

/** Inserts a row and reads it back. */
async function roundTrip(
	name: keyof typeof tables,
	row: Record<string, unknown>,
) {
	const [inserted] = await db.insert(table(name)).values(row).returning();
	expect(inserted).toMatchObject(row);
	return inserted as Record<string, unknown>;
}

test("the migrations bring an empty database up to date, and change nothing the second time", async () => {
	await migratePostgres(client);
	const first = await applied();
	expect(first.map(({ name }) => name)).toEqual(
		postgresMigrations.map(({ name }) => name),
	);
	await migratePostgres(client);
	expect(await applied()).toEqual(first);
});

test("two processes that migrate at once apply each migration once", async () => {
	await client.query("create schema other");
	const others = await Promise.all([
		server.pool.connect(),
		server.pool.connect(),
	]);
	for (const other of others) await other.query("set search_path to other");
	await Promise.all(others.map((other) => migratePostgres(other)));
	const { rows } = await others[0].query("select name from other.migration");
	expect(rows).toHaveLength(postgresMigrations.length);
	for (const other of others) other.release(true);
});

test("every table of the schema is there, with every column", async () => {
	for (const name of Object.keys(tables) as (keyof typeof tables)[])
		await expect(db.select().from(table(name)), name).resolves.toEqual([]);
});

test("uuids, texts, booleans and times come back as they went in", async () => {
	await roundTrip("company", {
		uuid: companyUuid,
		name: "Ünïted 😀",
		domain: null,
		defaultCountry: "GB",
		...times,
	});
	for (const [module, enabled] of [
		["api_mcp", true],
		["co_selling", false],
	] as const) {
		const { id } = await roundTrip("companyModule", {
			companyUuid,
			module,
			enabled,
		});
		expect(id).toBeTypeOf("number");
	}
	const userUuid = newUuid(NOW);
	const person = { email: "m@x.example", firstName: "Mara", lastName: "" };
	await roundTrip("user", { uuid: userUuid, companyUuid, ...person, ...times });
	const key = {
		label: "Key",
		hint: "pwk_…",
		hash: "h",
		read: true,
		write: false,
	};
	await roundTrip("apiKey", {
		uuid: newUuid(NOW),
		companyUuid,
		userUuid,
		...key,
		...times,
		revokedAt: null,
	});
});

test("triggers count the records of a company, apart by whether they are archived", async () => {
	const partner = { companyUuid, name: "Zürich", partnerType: "reseller" };
	const uuids = [newUuid(NOW), newUuid(NOW)];
	for (const uuid of uuids)
		await roundTrip("partner", { ...partner, uuid, ...times });
	const [first] = uuids;
	await client.query("update partner set archived_at = 1 where uuid = $1", [
		first,
	]);
	await client.query("update partner set archived_at = 2 where uuid = $1", [
		first,
	]);
	const { rows } = await client.query(
		"select archived, total::int from record_count where kind = 'partner' order by archived",
	);
	expect(rows).toEqual([
		{ archived: false, total: 1 },
		{ archived: true, total: 1 },
	]);
});

test("search finds by trigram indexes, short text by its beginning", async () => {
	const { partner } = tables;
	const find = (text: string) =>
		db
			.select({ name: sql`${partner.name}` })
			.from(table("partner"))
			.where(
				postgresDialect.search(
					{ table: "partner", uuid: partner.uuid, columns: [partner.name] },
					text,
				),
			);
	for (const [text, found] of [
		["RICH", 2],
		["ZÜ", 2],
		["ri", 0],
		["%", 0],
	] as const)
		expect(await find(text), text).toHaveLength(found);
	await client.query("set enable_seqscan = off");
	const { rows } = await client.query(
		"explain select 1 from partner where translate(lower(normalize(name, NFC) collate \"und-x-icu\"), E'\\u03C2\\u0001', E'\\u03C3 ') like '%rich%'",
	);
	expect(JSON.stringify(rows)).toContain("partner_search_name");
	await client.query("reset enable_seqscan");
});

test("JSON, numbers and integers beyond 32 bits come back as they went in", async () => {
	const integration = await roundTrip("integration", {
		uuid: newUuid(NOW),
		companyUuid,
		label: "CRM",
		webhookUrl: "https://hooks.example/",
		status: "active",
		onPause: "hold",
		ordering: "record",
		eventIds: ["lead_created", "deal_created"],
		retrySchedule: [0, 5, 300],
		secret: "sealed",
		version: 1,
		sequence: Number.MAX_SAFE_INTEGER,
		settled: 0,
		bucketTokens: 0.25,
		...times,
	});
	const integrationId = integration.id;
	const configuration = await roundTrip("integrationConfiguration", {
		integrationId,
		json: "[]",
		createdAt: NOW,
	});
	await db
		.update(table("integration"))
		.set({ configurationId: configuration.id })
		.where(eq(tables.integration.id as never, integrationId));
	await roundTrip("audit", {
		uuid: newUuid(NOW),
		companyUuid,
		entity: "lead",
		entityUuid: newUuid(NOW),
		action: "created",
		actorUuid: newUuid(NOW),
		actor: "Mara",
		changes: [
			{
				entity: "lead",
				field: "x",
				old: null,
				new: { a: [1, "é"] },
				label: "x",
				ref_uuid: null,
			},
		],
		createdAt: NOW,
	});
});

test("custom field values are found by their field, and no text is taken for one", async () => {
	const { customFieldValues } = tables;
	const row = {
		companyUuid,
		category: "lead",
		...times,
	};
	for (const json of [
		'{"12":[5]}',
		'{"12":[null]}',
		'{"3":[{"text":"\\"12\\":["}]}',
	])
		await roundTrip("customFieldValues", {
			...row,
			recordUuid: newUuid(NOW),
			json,
		});
	const find = (text: string) =>
		db
			.select({ id: sql`${customFieldValues.id}` })
			.from(table("customFieldValues"))
			.where(postgresDialect.includes(customFieldValues.json, text));
	expect(await find('"12":[')).toHaveLength(2);
	expect(await find('"12":[null')).toHaveLength(1);
	const field = await roundTrip("customField", {
		uuid: newUuid(NOW),
		companyUuid,
		label: "Größe 😀",
		type: "select",
		category: "lead",
		partnerType: null,
		required: true,
		shared: false,
		series: 1,
		...times,
	});
	await roundTrip("customFieldOption", {
		uuid: newUuid(NOW),
		companyUuid,
		customFieldUuid: field.uuid,
		label: "L",
		series: 1,
		...times,
	});
	await roundTrip("customFieldRule", {
		uuid: newUuid(NOW),
		companyUuid,
		category: "lead",
		active: true,
		kind: "set_value",
		operator: "in",
		triggerId: field.id,
		targetId: field.id,
		triggerValue: "[1,2]",
		value: "1",
		lock: true,
		...times,
	});
});

test("a database of a newer version is refused, and nothing of the attempt stays", async () => {
	await client.query(
		"insert into migration (name) values ('9999-from-the-future')",
	);
	const before = await applied();
	await expect(migratePostgres(client)).rejects.toMatchObject({
		name: "StorageError",
		code: "database_newer",
	});
	expect(await applied()).toEqual(before);
});
