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
import type { SearchIndex } from "../db/search-text.ts";
import { whenArchived } from "./conditions.ts";

const COUNT_OF_ALL = sql<number>`count(*) over ()`.mapWith(Number);

interface PageableQuery<Row> {
	where(condition: SQL | undefined): this;
	orderBy(...columns: SQL[]): PromiseLike<Row[]>;
}

/** The members of a list's query that every list has. */
export interface PageRequest {
	page: number;
	per_page: number;
	/** A sortable member, with a leading minus for descending. */
	sort?: string | undefined;
	/** The most rows on all pages together. */
	limit?: number | undefined;
}

/** The filters and the order of a list. The conditions use only columns of the listed table. */
export interface ListFilters {
	/** Filters with an index of their own that does not begin with the company. */
	readonly selective?: readonly (SQL | undefined)[];
	/** Selective filters that find records in no order: by their links, or by text. */
	readonly scattered?: readonly (SQL | undefined)[];
	readonly conditions: readonly (SQL | undefined)[];
	/** Sortable members beyond the times. */
	readonly sortable?: Readonly<Record<string, AnyColumn | SQL>>;
	/** The text filter, where the table has a search index. */
	readonly search?: {
		readonly index: SearchIndex;
		readonly text: string | undefined;
	};
}

/** The rows that are counted and ordered. */
interface Counted extends Omit<ListFilters, "search"> {
	readonly table: SQLiteTable & {
		uuid: AnySQLiteColumn;
		createdAt: AnyColumn;
		updatedAt?: AnyColumn;
		companyUuid?: AnyColumn;
	};
	/** The company, and whether its archived records are listed. A counter kept by triggers has the unfiltered total. */
	readonly scope?: Scope | undefined;
}

interface PageSource<Row, Item> extends Counted, ListFilters {
	readonly query: PageableQuery<Row>;
	toItems(rows: Row[]): Item[] | Promise<Item[]>;
}

interface Scope {
	readonly companyUuid: string;
	readonly archived?:
		| { readonly column: AnyColumn; readonly only: boolean }
		| undefined;
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

/** A list with only a text filter reads the search index alone, because the table has many more pages on disk. */
function toCounted<Row, Item>(
	{ dialect }: Db,
	{ search, ...source }: PageSource<Row, Item>,
	sort: string,
): Counted {
	if (!search?.text) return source;
	const { table, scope, scattered = [] } = source;
	const rows =
		toSortColumn(sort, source) === table.createdAt &&
		!filtersOf(source).some(Boolean)
			? dialect.searchRows(search.index, search.text)
			: null;
	if (!rows)
		return {
			...source,
			scattered: [...scattered, dialect.search(search.index, search.text)],
		};
	const archived = scope?.archived && {
		column: rows.table.archivedAt,
		only: scope.archived.only,
	};
	return {
		table: rows.table,
		scope: scope && { ...scope, archived },
		selective: [rows.where],
		conditions: [],
	};
}

/** Only the company's records, archived or not (docs/decisions.md#archived-records). */
function toScopeConditions(
	{ dialect }: Db,
	{ table, scope, selective = [], scattered = [] }: Counted,
): SQL[] {
	if (!scope) return [];
	const { companyUuid, archived } = scope;
	const company = table.companyUuid as AnyColumn;
	const ofCompany = [...selective, ...scattered].some(Boolean)
		? sql`${dialect.unindexed(company)} = ${companyUuid}`
		: eq(company, companyUuid);
	return archived
		? [ofCompany, whenArchived(archived.column, archived.only)]
		: [ofCompany];
}

const filtersOf = ({ selective = [], scattered = [], conditions }: Counted) => [
	...selective,
	...scattered,
	...conditions,
];

async function countRows(
	db: Db,
	counted: Counted,
	where: SQL | undefined,
): Promise<number> {
	const { table, scope } = counted;
	if (scope && !filtersOf(counted).some(Boolean)) {
		const countOf = scope.archived?.only ? countArchived : countLive;
		const { companyUuid } = scope;
		const [row] = await countOf(db, { companyUuid, kind: getTableName(table) });
		return row?.total ?? 0;
	}
	const [row] = await db.query
		.select({ total: count() })
		.from(table)
		.where(where);
	return row?.total ?? 0;
}

function toSortColumn(
	sort: string,
	{ table, sortable }: Counted,
): AnyColumn | SQL {
	const columns: Record<string, AnyColumn | SQL | undefined> = {
		created_at: table.createdAt,
		updated_at: table.updatedAt,
		...sortable,
	};
	return columns[sort.replace(/^-/, "")] ?? table.createdAt;
}

/** Reads one page and the true totals, in the stable order of docs/decisions.md#lists: newest first, then by uuid. */
export async function listPage<Row, Item>(
	db: Db,
	request: PageRequest,
	source: PageSource<Row, Item>,
): Promise<Page<Item>> {
	const sort = request.sort ?? "-created_at";
	const counted = toCounted(db, source, sort);
	const where = and(...toScopeConditions(db, counted), ...filtersOf(counted));
	const toOrder = (from: Counted) => {
		const column = toSortColumn(sort, from);
		return [
			sort.startsWith("-") ? desc(column) : asc(column),
			asc(from.table.uuid),
		];
	};
	const offset = (request.page - 1) * request.per_page;
	const limit = request.limit ?? Number.POSITIVE_INFINITY;
	// Rows found in no order are all visited anyway, so the same query counts them.
	const isCounted = counted.scattered?.some(Boolean);
	const shown = await db.query
		.select({
			uuid: sql<string>`${counted.table.uuid}`,
			total: isCounted ? COUNT_OF_ALL : sql<null>`null`,
		})
		.from(counted.table)
		.where(where)
		.orderBy(...toOrder(counted))
		.limit(Math.min(request.per_page, Math.max(0, limit - offset)))
		.offset(offset);
	// Joined tables are read for the rows of the page alone, not for all rows that were found and sorted.
	const uuids = shown.map(({ uuid }) => uuid);
	const rows =
		uuids.length > 0
			? await source.query
					.where(inArray(source.table.uuid, uuids))
					.orderBy(...toOrder(source))
			: [];
	const total = Math.min(
		limit,
		shown[0]?.total ?? (await countRows(db, counted, where)),
	);
	return toEnvelope(await source.toItems(rows), total, request);
}

/** One page of items that are in memory already, in their order. */
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
