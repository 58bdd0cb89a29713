import { createHash } from "node:crypto";
import { getTableColumns, getTableName, gt, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { sortMembers } from "../values/sort-members.ts";
import type { Db } from "./db.ts";
import type { Tables } from "./tables.ts";

/** The content of one table. Two are equal exactly if all their rows are. */
export interface Content {
	readonly rows: number;
	/** SHA-256 over all rows in the order of their keys. */
	readonly checksum: string;
}

type Row = Readonly<Record<string, unknown>>;

/** Rows read at a time. A row may have a megabyte, so a page gets shorter where rows are long. */
const FIRST_PAGE = 50;
const LONGEST_PAGE = 500;
const PAGE_BYTES = 4 * 1024 * 1024;

/** Reads a table in pages, in the order of its key, and gives each page to `onPage`. Returns what it holds. */
export async function readTable(
	db: Db,
	name: keyof Tables,
	onPage: (rows: Row[]) => Promise<void> = async () => {},
): Promise<Content> {
	const { key, readFirst, readNext } = prepareReads(db, name);
	const hash = createHash("sha256");
	let rows = 0;
	let limit = FIRST_PAGE;
	let page = await readFirst({ limit });
	while (page.length > 0) {
		// PostgreSQL does not keep the order of an object's members.
		const text = page.map((row) => JSON.stringify(row, sortMembers)).join("\n");
		hash.update(`${text}\n`);
		rows += page.length;
		await onPage(page);
		const bytesPerRow = text.length / page.length;
		limit = Math.ceil(Math.min(LONGEST_PAGE, PAGE_BYTES / bytesPerRow));
		page = await readNext({ limit, after: page.at(-1)?.[key] });
	}
	return { rows, checksum: hash.digest("hex") };
}

function prepareReads(db: Db, name: keyof Tables) {
	const table: SQLiteTable = db.tables[name];
	const [key, column] = Object.entries(getTableColumns(table)).find(
		([, { primary }]) => primary,
	) as [string, SQLiteColumn];
	const select = () => db.query.select().from(table).$dynamic();
	const end = (query: ReturnType<typeof select>) =>
		query.orderBy(column).limit(sql.placeholder("limit"));
	const after = gt(column, sql.placeholder("after"));
	return {
		key,
		readFirst: db.prepare<Row[]>(`copy_first_${name}`, end(select()), {}),
		readNext: db.prepare<Row[]>(
			`copy_next_${name}`,
			end(select().where(after)),
			{},
		),
	};
}

/** Returns the function that inserts rows as they are, with their keys. */
export function createInsert(
	db: Db,
	name: keyof Tables,
): (rows: Row[]) => Promise<void> {
	const table: SQLiteTable = db.tables[name];
	const columns = Object.entries(getTableColumns(table));
	const { postgres } = db;
	if (postgres) {
		const names = columns.map(([, column]) => `"${column.name}"`).join(", ");
		const arrays = columns.map(([, column], index) => {
			const type = column.getSQLType().replace(' COLLATE "C"', "");
			return `$${index + 1}::${type}[]`;
		});
		// A column is one parameter, so that the statement is the same for every number of rows.
		const text = `insert into "${getTableName(table)}" (${names}) select * from unnest(${arrays.join(", ")})`;
		return async (rows) => {
			const values = columns.map(([member, column]) =>
				rows.map((row) => toStored(column, row[member])),
			);
			await postgres(`copy_into_${name}`, text, values);
		};
	}
	const placeholders = columns.map(([member]) => [
		member,
		sql.placeholder(member),
	]);
	const insert = db.prepare(
		`copy_into_${name}`,
		db.query.insert(table).values(Object.fromEntries(placeholders)),
		{},
	);
	return async (rows) => {
		for (const row of rows) await insert(row);
	};
}

const toStored = (column: SQLiteColumn, value: unknown): unknown =>
	value === null ? null : column.mapToDriverValue(value);
