import {
	type AnyColumn,
	and,
	eq,
	gte,
	inArray,
	isNotNull,
	isNull,
	lt,
	lte,
	or,
	type SQL,
} from "drizzle-orm";
import type { Db } from "../db/db.ts";
import type { Tables } from "../db/tables.ts";
import { DAY_MS } from "../values/times.ts";

/** Conditions of lists. A filter that the query leaves out adds no condition. */
export const whenEqual = (
	column: AnyColumn,
	value: string | boolean | undefined,
): SQL | undefined => (value === undefined ? undefined : eq(column, value));

/** Times from the beginning of one day to the end of another, in UTC. */
export const whenInDays = (
	column: AnyColumn,
	start: string | undefined,
	end: string | undefined,
): SQL | undefined =>
	and(
		start === undefined ? undefined : gte(column, Date.parse(start)),
		end === undefined ? undefined : lt(column, Date.parse(end) + DAY_MS),
	);

/** Dates from one day to another, both included. */
export const whenDated = (
	column: AnyColumn,
	start: string,
	end: string,
): SQL | undefined => and(gte(column, start), lte(column, end));

/** Archived records are listed only with `archived=true` (docs/decisions.md#archived-records). */
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

/** Rows whose integer reference is to one of the given uuids of `referenced`. */
export const whenReferenced = (
	{ query }: Db,
	column: AnyColumn,
	referenced: Tables["stage" | "tier" | "category" | "tag"],
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

/** Resources, certifications or rooms with a link that meets a condition. */
export const whenLinked = (
	{ query, tables: { contentLink } }: Db,
	column: AnyColumn,
	isWanted: SQL | undefined,
): SQL | undefined =>
	isWanted &&
	inArray(
		column,
		query
			.select({ uuid: contentLink.recordUuid })
			.from(contentLink)
			.where(isWanted),
	);

/** Rows that refer to one of the given uuids. */
export const whenOneOf = (
	column: AnyColumn,
	uuids: readonly string[] | undefined,
): SQL | undefined => uuids && inArray(column, [...uuids]);

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
