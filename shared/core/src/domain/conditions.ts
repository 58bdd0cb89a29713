import {
	type AnyColumn,
	eq,
	inArray,
	isNotNull,
	isNull,
	or,
	type SQL,
} from "drizzle-orm";
import type { Db } from "../db/db.ts";
import type { SearchIndex } from "../db/dialect.ts";
import type { Tables } from "../db/tables.ts";

/** Conditions of lists: a filter that was not given is no condition. */
export const whenEqual = (
	column: AnyColumn,
	value: string | undefined,
): SQL | undefined => (value === undefined ? undefined : eq(column, value));

/** `archived` records are listed only when asked for (decisions §1). */
export const whenArchived = (column: AnyColumn, archived: boolean): SQL =>
	archived ? isNotNull(column) : isNull(column);

/** The text filter over several columns. */
export const whenContains = (
	{ dialect }: Db,
	columns: readonly AnyColumn[],
	search: string | undefined,
): SQL | undefined =>
	search
		? or(...columns.map((column) => dialect.contains(column, search)))
		: undefined;

/** The text filter over the search index of a table. */
export const whenFound = (
	{ dialect }: Db,
	index: SearchIndex,
	search: string | undefined,
): SQL | undefined => (search ? dialect.search(index, search) : undefined);

/** Rows whose integer reference is to one of the given uuids of `referenced`. */
export const whenReferenced = (
	{ query }: Db,
	column: AnyColumn,
	referenced: Tables["stage" | "tier" | "category"],
	uuids: readonly string[] | undefined,
): SQL | undefined =>
	uuids &&
	inArray(
		column,
		query
			.select({ id: referenced.id })
			.from(referenced)
			.where(inArray(referenced.uuid, [...uuids])),
	);

/** Records that carry at least one of the given tags. */
export const whenTagged = (
	{ query, tables: { recordLink, tag } }: Db,
	column: AnyColumn,
	tagUuids: readonly string[] | undefined,
): SQL | undefined =>
	tagUuids &&
	inArray(
		column,
		query
			.select({ uuid: recordLink.recordUuid })
			.from(recordLink)
			.innerJoin(tag, eq(tag.id, recordLink.tagId))
			.where(inArray(tag.uuid, [...tagUuids])),
	);

/** Records that the given user is assigned to. */
export const whenAssigned = (
	{ query, tables: { recordLink } }: Db,
	column: AnyColumn,
	userUuid: string | undefined,
): SQL | undefined =>
	userUuid === undefined
		? undefined
		: inArray(
				column,
				query
					.select({ uuid: recordLink.recordUuid })
					.from(recordLink)
					.where(eq(recordLink.userUuid, userUuid)),
			);
