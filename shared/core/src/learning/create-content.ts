import type { Page } from "@partnerwire/contract";
import { type AnyColumn, and, eq, type SQL, sql } from "drizzle-orm";
import type { Resource } from "../context/change.ts";
import type { Context } from "../context/context.ts";
import type { Db, Preparable } from "../db/db.ts";
import type { RowOf } from "../db/insert-row.ts";
import { defineQuery } from "../db/prepared.ts";
import type { Tables } from "../db/tables.ts";
import {
	whenArchived,
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
import { listPage } from "../resource/list-page.ts";
import { createReferences, type References } from "../resource/references.ts";
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
	toColumns(
		body: Body,
		references: References,
	): Promise<Partial<RowOf<Name>> & { live?: boolean | undefined }>;
	/** Defaults for columns of a new record that the body may leave out, except `live`. */
	complete?(body: Body, context: Context): Promise<Partial<RowOf<Name>>>;
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
	const select = (db: Db) =>
		db.query
			.select({ row: tableOf(db) })
			.from(tableOf(db))
			.$dynamic();

	const find = defineQuery(
		`${kind.table}_by_uuid`,
		(db) =>
			select(db).where(
				and(
					eq(tableOf(db).uuid, sql.placeholder("uuid")),
					eq(tableOf(db).companyUuid, sql.placeholder("companyUuid")),
				),
			) as Preparable<Viewed[]>,
	);

	const records = createRecords<Viewed, Shown, Body, ContentLinks>({
		table: kind.table,
		entity: kind.table,
		noun: kind.table,
		links: "contentLink",
		find,
		attach: loadContentLinks,
		toShown: ({ row }, links) => kind.toShown(row, links),
		toColumns: kind.toColumns,
	});

	return {
		...records,

		create: async ({ body }: { body: Body }, context: Context) => {
			const columns = await kind.toColumns(body, createReferences(context));
			const completed = await kind.complete?.(body, context);
			const live = columns.live ?? false;
			return records.create({ ...columns, live, ...completed }, context);
		},

		/** Lists one page, with the filters that all kinds have and those of this kind. */
		list: (
			query: ContentQuery,
			{ db, caller }: Context,
			own: {
				readonly conditions?: readonly (SQL | undefined)[];
				readonly sortable?: Readonly<Record<string, AnyColumn>>;
			} = {},
		): Promise<Page<Shown>> => {
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
			return listPage(db, query, {
				table,
				query: select(db),
				conditions: [
					eq(table.companyUuid, caller.companyUuid),
					whenArchived(table.archivedAt, query.archived),
					whenEqual(table.live, query.live),
					whenContains(db, [table.label], query.search),
					...links.map((link) => whenLinked(db, table.uuid, link)),
					...(own.conditions ?? []),
				],
				sortable: { label: table.label, ...own.sortable },
				toItems: (rows) => records.showAll(rows as Viewed[], { db }),
			});
		},
	};
}
