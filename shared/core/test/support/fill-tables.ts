import { type Cipher, newUuid, openStore } from "@partnerwire/core";
import { getTableColumns } from "drizzle-orm";
import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { tables as postgresTables } from "../../src/db/postgres/schema.ts";
import type { Tables } from "../../src/db/tables.ts";
import { CHECK_NAME } from "../../src/secrets/check-key.ts";
import { secretPurpose } from "../../src/secrets/integration-secrets.ts";

type Row = Record<string, unknown>;
type Name = keyof Tables;

/** Rows of each table: more than the copy reads at a time. */
export const ROWS = 60;

/** Values that one engine could store or show otherwise than the other. */
const TEXTS = [
	"",
	"NULL",
	"\\N",
	`a "quoted", {braced} \\ 'text'\twith\r\nlines`,
	"Ünï ﬁ 🜁 e\u0301 \u200f\u2028",
	" spaces ",
	"\u0001\u007f",
];
const NUMBERS = [0, -0.5, 0.1, 1e21, 5e-324, 1.7976931348623157e308];
const INTEGERS = [1, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
const JSONS = [
	[],
	{},
	{ zz: 1, a: [null, 'x"', { b: 0.1, a: 1e21 }], "": "", 10: "ten", 9: false },
	["lead_created", "\u2028 🜁"],
];

/** Fills every table of a new database from its definition, so that a table added later is filled too. */
export async function fillTables(database: string, cipher: Cipher) {
	const store = await openStore(database);
	const rows = new Map<SQLiteTable, Row[]>();
	try {
		await store.write(async ({ query, tables }) => {
			for (const [name, table] of Object.entries(tables)) {
				// Triggers have filled it.
				if (name === "recordCount") continue;
				const made = makeRows(name as Name, table, rows, cipher);
				rows.set(table, made);
				// The values have a member for each column, which the compiler cannot know.
				for (const row of made) await query.insert(table).values(row as never);
			}
		});
	} finally {
		await store.close();
	}
}

function makeRows(
	name: Name,
	table: SQLiteTable,
	others: ReadonlyMap<SQLiteTable, Row[]>,
	cipher: Cipher,
): Row[] {
	const made: Row[] = [];
	const { foreignKeys } = getTableConfig(table);
	const targets = new Map(
		foreignKeys.map((key) => {
			const { columns, foreignTable, foreignColumns } = key.reference();
			return [columns[0]?.name, { foreignTable, column: foreignColumns[0] }];
		}),
	);
	const types = getTableColumns(postgresTables[name] as SQLiteTable);
	for (let index = 0; index < ROWS; index++) {
		const row: Row = {};
		for (const [member, column] of Object.entries(getTableColumns(table))) {
			const target = targets.get(column.name);
			const isNull = !column.notNull && index % 4 === 0;
			if (isNull) row[member] = null;
			else if (target) {
				// Keys descend: a row refers to one of its table that is inserted earlier and copied later.
				const found = others.get(target.foreignTable) ?? made;
				const referred = Object.entries(
					getTableColumns(target.foreignTable),
				).find(([, { name }]) => name === target.column?.name)?.[0] as string;
				row[member] = found[(index * 7) % found.length]?.[referred] ?? null;
			} else
				row[member] = toValue(
					types[member]?.getSQLType() ?? "",
					index,
					column.primary,
				);
		}
		Object.assign(row, toSecrets(name, row, index, cipher));
		made.push(row);
	}
	return made;
}

function toValue(type: string, index: number, isKey: boolean): unknown {
	const one = <Value>(values: readonly Value[]) =>
		values[index % values.length] as Value;
	const integer = one(INTEGERS);
	switch (type) {
		case "uuid":
			return newUuid(1_700_000_000_000 - index);
		case "bigint":
			// Each is unique. Keys have gaps.
			return isKey
				? 1000 - 3 * index
				: integer - Math.sign(integer) * index * 8;
		case "double precision":
			return one(NUMBERS);
		case "boolean":
			return index % 2 === 0;
		case "jsonb":
			return one(JSONS);
		case 'text COLLATE "C"':
			return `${index}${one(TEXTS)}`;
		default:
			throw new TypeError(`no value for ${type}`);
	}
}

/** Values that are encrypted, each for its place. */
function toSecrets(name: Name, row: Row, index: number, cipher: Cipher): Row {
	const seal = (plain: unknown, purpose: string) =>
		plain === null ? null : cipher.encrypt(String(plain), purpose);
	const of = (secret: "secret" | "api_key" | "external_settings") =>
		secretPurpose(String(row.uuid), secret);
	if (name === "integration")
		return {
			secret: seal("signs", of("secret")),
			nextSecret: seal(row.nextSecret, of("secret")),
			apiKey: seal(row.apiKey, of("api_key")),
			externalSettings: seal(row.externalSettings, of("external_settings")),
		};
	if (name === "idempotency" && index % 2 === 1)
		return { answer: seal('{"secret":1}', String(row.scope)) };
	if (name === "setting" && index === 0)
		return { name: CHECK_NAME, value: seal("partnerwire", CHECK_NAME) };
	// A long row, for which the copy shortens its pages.
	if (name === "event" && index === 5) return { entity: "ü".repeat(2_000_000) };
	return {};
}

/** All rows of all tables, in the order of their keys. */
export async function readTables(
	database: string,
): Promise<Record<string, Row[]>> {
	const store = await openStore(database);
	try {
		const { query, tables } = store.read;
		const all: Record<string, Row[]> = {};
		for (const [name, table] of Object.entries<SQLiteTable>(tables)) {
			const key = Object.values(getTableColumns(table)).find(
				({ primary }) => primary,
			);
			all[name] = await query
				.select()
				.from(table)
				.orderBy(key as NonNullable<typeof key>);
		}
		return all;
	} finally {
		await store.close();
	}
}
