import type { Page } from "@partnerwire/contract";
import type { Resource } from "../context/change.ts";
import type { Context } from "../context/context.ts";
import type { Db } from "../db/db.ts";
import type { RowOf } from "../db/insert-row.ts";
import type { Tables } from "../db/tables.ts";
import {
	whenContains,
	whenEqual,
	whenLinked,
	whenOneOf,
	whenReferenced,
} from "../resource/conditions.ts";
import {
	type ContentLinks,
	loadContentLinks,
} from "../resource/content-links.ts";
import { createRecords } from "../resource/create-records.ts";
import type { ListFilters } from "../resource/list-page.ts";
import type { References } from "../resource/references.ts";
import { selectRows } from "../resource/resource-kind.ts";
import { toIsoOrNull, toTimes } from "../values/times.ts";

type ContentTable = "resource" | "certification" | "room";

/** The differences between resources, certifications and rooms. */
interface ContentKind<
	Name extends ContentTable,
	Shown extends Resource,
	Body extends object,
> {
	/** The table, and the name in the audit log and in errors. */
	readonly table: Name;
	toShown(row: RowOf<Name>, links: ContentLinks): Shown;
	/** Converts a body to columns. Throws a 400 for invalid references. */
	toColumns(body: Body, references: References): Promise<Partial<RowOf<Name>>>;
	readonly defaults?: Partial<RowOf<Name>>;
	/** Columns of a new record that depend on others, such as its `series`. */
	complete?(
		columns: Partial<RowOf<Name>>,
		context: Context,
	): Promise<Partial<RowOf<Name>>>;
}

export interface ContentQuery {
	page: number;
	per_page: number;
	sort?: string | undefined;
	search?: string | undefined;
	live?: boolean | undefined;
	archived: boolean;
	tag_uuids?: string[] | undefined;
	category_uuids?: string[] | undefined;
	folder_uuids?: string[] | undefined;
}

/** The members that all three kinds show. */
export const toContent = (row: RowOf<ContentTable>) => ({
	uuid: row.uuid,
	label: row.label,
	live: row.live,
	archived_at: toIsoOrNull(row.archivedAt),
	...toTimes(row),
});

/** The operations on one kind of records, with its list and its create. */
export function createContent<
	Name extends ContentTable,
	Shown extends Resource,
	Body extends object,
>(kind: ContentKind<Name, Shown, Body>) {
	type Viewed = { row: RowOf<Name> };
	// All of these tables have the columns of this one, which a type parameter cannot express.
	const tableOf = ({ tables }: Db) => tables[kind.table] as Tables["resource"];
	const records = createRecords<Viewed, Shown, Body, ContentLinks>({
		table: kind.table,
		entity: kind.table,
		noun: kind.table,
		links: "contentLink",
		select: selectRows(kind.table),
		defaults: { live: false, ...kind.defaults } as Partial<RowOf<Name>>,
		...(kind.complete && { complete: kind.complete }),
		attach: loadContentLinks,
		toShown: ({ row }, links) => kind.toShown(row, links),
		toColumns: kind.toColumns,
	});

	return {
		...records,

		/** Lists one page, with the filters that all kinds have and those of this kind. */
		list: (
			query: ContentQuery,
			context: Context,
			own: Partial<ListFilters> = {},
		): Promise<Page<Shown>> => {
			const { db } = context;
			const table = tableOf(db);
			const { contentLink, tag, category } = db.tables;
			const links = [
				whenReferenced(db, contentLink.tagId, tag, query.tag_uuids),
				whenReferenced(
					db,
					contentLink.categoryId,
					category,
					query.category_uuids,
				),
				whenOneOf(contentLink.folderUuid, query.folder_uuids),
			];
			return records.list(query, context, {
				conditions: [
					whenEqual(table.live, query.live),
					whenContains(db, [table.label], query.search),
					...links.map((link) => whenLinked(db, table.uuid, link)),
					...(own.conditions ?? []),
				],
				sortable: { label: table.label, ...own.sortable },
			});
		},
	};
}
