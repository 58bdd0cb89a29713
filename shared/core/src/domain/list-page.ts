import type { Page } from "@partnerwire/contract";
import { type AnyColumn, and, asc, count, desc, type SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "../db/db.ts";

interface PageableQuery<Row> {
	where(condition: SQL | undefined): this;
	orderBy(...columns: SQL[]): this;
	limit(rows: number): this;
	offset(rows: number): PromiseLike<Row[]>;
}

interface PageRequest {
	page: number;
	per_page: number;
	/** A sortable member, with a leading minus for descending. */
	sort?: string | undefined;
}

interface PageSource<Row, Item> {
	/** The table that is counted; conditions are on its columns alone. */
	readonly table: SQLiteTable & {
		uuid: AnyColumn;
		createdAt: AnyColumn;
		updatedAt?: AnyColumn;
	};
	readonly query: PageableQuery<Row>;
	readonly conditions: readonly (SQL | undefined)[];
	/** Sortable members beyond the times. */
	readonly sortable?: Readonly<Record<string, AnyColumn>>;
	toItems(rows: Row[]): Item[] | Promise<Item[]>;
}

/** One page and the true totals, newest first, then by uuid, so that the order is stable (decisions §1). */
export async function listPage<Row, Item>(
	db: Db,
	request: PageRequest,
	source: PageSource<Row, Item>,
): Promise<Page<Item>> {
	const { table } = source;
	const where = and(...source.conditions);
	const sort = request.sort ?? "-created_at";
	const columns: Record<string, AnyColumn | undefined> = {
		created_at: table.createdAt,
		updated_at: table.updatedAt,
		...source.sortable,
	};
	const column = columns[sort.replace(/^-/, "")] ?? table.createdAt;
	const rows = await source.query
		.where(where)
		.orderBy(sort.startsWith("-") ? desc(column) : asc(column), asc(table.uuid))
		.limit(request.per_page)
		.offset((request.page - 1) * request.per_page);
	const [counted] = await db.query
		.select({ total: count() })
		.from(table)
		.where(where);
	const total = counted?.total ?? 0;
	return {
		data: await source.toItems(rows),
		pagination: {
			page: request.page,
			per_page: request.per_page,
			total,
			total_pages: Math.ceil(total / request.per_page),
		},
	};
}
