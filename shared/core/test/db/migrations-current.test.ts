// The migrations match the schema, and the embedded ones match the reviewed files.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
	generateDrizzleJson,
	generateMigration,
	generateSQLiteDrizzleJson,
	generateSQLiteMigration,
} from "drizzle-kit/api";
import { describe, expect, test } from "vitest";
import { postgresMigrations } from "../../src/db/postgres/migrations.generated.ts";
import { tables as postgresTables } from "../../src/db/postgres/schema.ts";
import { sqliteMigrations } from "../../src/db/sqlite/migrations.generated.ts";
import { tables as sqliteTables } from "../../src/db/sqlite/schema.ts";

const folderOf = (dialect: string) =>
	fileURLToPath(new URL(`../../migrations/${dialect}/`, import.meta.url));
const snapshotOf = (dialect: string) =>
	JSON.parse(readFileSync(`${folderOf(dialect)}snapshot.json`, "utf8"));

const engines = [
	{
		dialect: "sqlite",
		embedded: sqliteMigrations,
		missing: async () =>
			generateSQLiteMigration(
				snapshotOf("sqlite"),
				await generateSQLiteDrizzleJson(sqliteTables),
			),
	},
	{
		dialect: "postgres",
		embedded: postgresMigrations,
		missing: async () =>
			generateMigration(
				snapshotOf("postgres"),
				generateDrizzleJson(postgresTables),
			),
	},
];

describe.each(engines)(
	"migrations of $dialect",
	({ dialect, embedded, missing }) => {
		test("the tables need no statement more than the migrations have (else: npm run migrations)", async () => {
			expect(await missing()).toEqual([]);
		});

		test("what is embedded is what was reviewed", () => {
			const folder = folderOf(dialect);
			const files = readdirSync(folder)
				.filter((file) => file.endsWith(".sql"))
				.sort();
			expect(embedded).toEqual(
				files.map((file) => ({
					name: file.replace(".sql", ""),
					sql: readFileSync(folder + file, "utf8"),
				})),
			);
		});
	},
);
