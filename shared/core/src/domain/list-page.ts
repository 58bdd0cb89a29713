import type { Page } from "@partnerwire/contract";
import {
	type AnyColumn,
	and,
	asc,
	count,
	desc,
	eq,
	getTableName,
	inArray,
	type SQL,
	sql,
} from "drizzle-orm";
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "../db/db.ts";
import { defineQuery } from "../db/prepared.ts";
import { whenArchived } from "./conditions.ts";

const COUNT_OF_ALL = sql<number>`count(*) over ()`.mapWith(Number);

interface PageableQuery<Row> {
	where(condition: SQL | undefined): this;
	orderBy(...columns: SQL[]): PromiseLike<Row[]>;
}

interface PageRequest {
	page: number;
	per_page: number;
	/** A sortable member, with a leading minus for descending. */
	sort?: string | undefined;
	/** How many rows there are at most on all pages together. */
	limit?: number | undefined;
}

interface PageSource<Row, Item> {
	/** The table that is counted; conditions are on its columns alone. */
	readonly table: SQLiteTable & {
		uuid: AnySQLiteColumn;
		createdAt: AnyColumn;
		updatedAt?: AnyColumn;
		companyUuid?: AnyColumn;
	};
	readonly query: PageableQuery<Row>;
	/** Whose records, and which of them. Their total without a filter is read from a counter that triggers keep. */
	readonly scope?: Scope;
	/** Filters with an index of their own, which does not begin with the company. */
	readonly selective?: readonly (SQL | undefined)[];
	/** Selective filters that find records in no order: by what they are linked with, or by text. */
	readonly scattered?: readonly (SQL | undefined)[];
	readonly conditions: readonly (SQL | undefined)[];
	/** Sortable members beyond the times. */
	readonly sortable?: Readonly<Record<string, AnyColumn | SQL>>;
	toItems(rows: Row[]): Item[] | Promise<Item[]>;
}

interface Scope {
	readonly companyUuid: string;
	readonly archived?: { readonly column: AnyColumn; readonly only: boolean };
}

const defineCount = (archived: boolean) =>
	defineQuery(
		`record_count_${archived}`,
		({ query, tables: { recordCount } }) =>
			query
				.select({ total: recordCount.total })
				.from(recordCount)
				.where(
					and(
						eq(recordCount.companyUuid, sql.placeholder("companyUuid")),
						eq(recordCount.kind, sql.placeholder("kind")),
						eq(recordCount.archived, archived),
					),
				),
	);
const countLive = defineCount(false);
const countArchived = defineCount(true);

/** The company's records, told apart by whether they are archived (decisions §1). */
function toScopeConditions<Row, Item>(
	{ dialect }: Db,
	{ table, scope, selective = [], scattered = [] }: PageSource<Row, Item>,
): SQL[] {
	if (!scope) return [];
	const { companyUuid, archived } = scope;
	const company = table.companyUuid as AnyColumn;
	const own = [...selective, ...scattered].some(Boolean)
		? sql`${dialect.unindexed(company)} = ${companyUuid}`
		: eq(company, companyUuid);
	return archived ? [own, whenArchived(archived.column, archived.only)] : [own];
}

const conditionsOf = ({
	selective = [],
	scattered = [],
	conditions,
}: Pick<
	PageSource<unknown, unknown>,
	"selective" | "scattered" | "conditions"
>) => [...selective, ...scattered, ...conditions];

async function countRows<Row, Item>(
	db: Db,
	{ table, scope, ...filters }: PageSource<Row, Item>,
	where: SQL | undefined,
): Promise<number> {
	if (scope && !conditionsOf(filters).some(Boolean)) {
		const counted = scope.archived?.only ? countArchived : countLive;
		const { companyUuid } = scope;
		const [row] = await counted(db, { companyUuid, kind: getTableName(table) });
		return row?.total ?? 0;
	}
	const [row] = await db.query
		.select({ total: count() })
		.from(table)
		.where(where);
	return row?.total ?? 0;
}

/** One page and the true totals, newest first, then by uuid, so that the order is stable (decisions §1). */
export async function listPage<Row, Item>(
	db: Db,
	request: PageRequest,
	source: PageSource<Row, Item>,
): Promise<Page<Item>> {
	const { table } = source;
	const where = and(...toScopeConditions(db, source), ...conditionsOf(source));
	const sort = request.sort ?? "-created_at";
	const columns: Record<string, AnyColumn | SQL | undefined> = {
		created_at: table.createdAt,
		updated_at: table.updatedAt,
		...source.sortable,
	};
	const column = columns[sort.replace(/^-/, "")] ?? table.createdAt;
	const order = [
		sort.startsWith("-") ? desc(column) : asc(column),
		asc(table.uuid),
	];
	const offset = (request.page - 1) * request.per_page;
	const limit = request.limit ?? Number.POSITIVE_INFINITY;
	// What is found in no order is visited whole anyway, so it is counted on the way.
	const isCounted = source.scattered?.some(Boolean);
	const shown = await db.query
		.select({
			uuid: sql<string>`${table.uuid}`,
			total: isCounted ? COUNT_OF_ALL : sql<null>`null`,
		})
		.from(table)
		.where(where)
		.orderBy(...order)
		.limit(Math.min(request.per_page, Math.max(0, limit - offset)))
		.offset(offset);
	// What a page shows beside its table is read for its rows alone, not for all that were found and sorted.
	const uuids = shown.map(({ uuid }) => uuid);
	const rows =
		uuids.length > 0
			? await source.query.where(inArray(table.uuid, uuids)).orderBy(...order)
			: [];
	const total = Math.min(
		limit,
		shown[0]?.total ?? (await countRows(db, source, where)),
	);
	return toEnvelope(await source.toItems(rows), total, request);
}

/** One page of items that are at hand, in their order. */
export function toPage<Item>(
	items: readonly Item[],
	request: PageRequest,
): Page<Item> {
	const from = (request.page - 1) * request.per_page;
	const data = items.slice(from, from + request.per_page);
	return toEnvelope(data, items.length, request);
}

const toEnvelope = <Item>(
	data: Item[],
	total: number,
	{ page, per_page }: PageRequest,
): Page<Item> => ({
	data,
	pagination: {
		page,
		per_page,
		total,
		total_pages: Math.ceil(total / per_page),
	},
});
