import type { CustomFieldCategory } from "@partnerwire/contract";
import {
	type AnyColumn,
	eq,
	exists,
	inArray,
	type SQL,
	sql,
} from "drizzle-orm";
import type { Context } from "../../context/context.ts";
import type { Db } from "../../db/db.ts";
import { insertNumbered } from "../../db/insert-row.ts";
import { defineQuery } from "../../db/prepared.ts";
import { type Entries, fromJson, toJson } from "./entries.ts";
import type { FieldWrite, Stored } from "./model.ts";
import { fromValueUuid, toValueUuid } from "./value-uuid.ts";

/** The stored values of one record. */
export interface ValuesRow {
	readonly id: number;
	readonly recordUuid: string;
	readonly createdAt: number;
	readonly entries: Entries;
}

/** A stored value with its times. */
export interface ValueRow extends Stored {
	readonly fieldId: number;
	readonly createdAt: number;
	readonly updatedAt: number;
}

/** Whether a record has custom field values. Reading a record without values runs no query for them. */
export const hasValues = (
	{ query, tables: { customFieldValues } }: Db,
	recordUuid: AnyColumn,
): SQL<unknown> =>
	exists(
		query
			.select({ one: sql`1` })
			.from(customFieldValues)
			.where(eq(customFieldValues.recordUuid, recordUuid)),
	);

const selectValues = ({ query, tables: { customFieldValues } }: Db) =>
	query
		.select({
			id: customFieldValues.id,
			recordUuid: customFieldValues.recordUuid,
			createdAt: customFieldValues.createdAt,
			json: customFieldValues.json,
		})
		.from(customFieldValues)
		.$dynamic();

const valuesOfOne = defineQuery("values_of_record", (db) =>
	selectValues(db).where(
		eq(db.tables.customFieldValues.recordUuid, sql.placeholder("recordUuid")),
	),
);

const valuesById = defineQuery("values_by_id", (db) =>
	selectValues(db).where(
		eq(db.tables.customFieldValues.id, sql.placeholder("id")),
	),
);

const updateValues = defineQuery(
	"update_values",
	({ query, tables: { customFieldValues } }) =>
		query
			.update(customFieldValues)
			.set({
				json: sql`${sql.placeholder("json")}`,
				updatedAt: sql`${sql.placeholder("updatedAt")}`,
			})
			.where(eq(customFieldValues.id, sql.placeholder("id"))),
);

type Selected = Awaited<ReturnType<typeof valuesOfOne>>[number];

const toValuesRow = ({ json, ...row }: Selected): ValuesRow => ({
	...row,
	entries: fromJson(json, row.createdAt),
});

/** Loads the values of records, by record, in one query: a prepared one for a single record. */
export async function loadValues(
	db: Db,
	recordUuids: readonly string[],
): Promise<Map<string, ValuesRow>> {
	const [recordUuid] = recordUuids;
	if (recordUuid === undefined) return new Map();
	const rows = await (recordUuids.length === 1
		? valuesOfOne(db, { recordUuid })
		: selectValues(db).where(
				inArray(db.tables.customFieldValues.recordUuid, [...recordUuids]),
			));
	return new Map(rows.map((row) => [row.recordUuid, toValuesRow(row)]));
}

/** Finds a value by its uuid: its field, and all values of its record. */
export async function findValue(
	db: Db,
	uuid: string,
): Promise<{ values: ValuesRow; fieldId: number } | null> {
	const named = fromValueUuid(uuid);
	if (!named) return null;
	const [row] = await valuesById(db, { id: named.valuesId });
	if (!row) return null;
	const values = toValuesRow(row);
	const isThere =
		values.entries.has(named.fieldId) &&
		toValueUuid(values, named.fieldId) === uuid;
	return isThere ? { values, fieldId: named.fieldId } : null;
}

/** Writes values in the caller's transaction. Answers all values of the record after it. */
export async function writeValues(
	record: { uuid: string; category: CustomFieldCategory },
	before: ValuesRow | undefined,
	writes: readonly FieldWrite[],
	{ db, caller, nowMs }: Pick<Context, "db" | "caller" | "nowMs">,
): Promise<ValuesRow | undefined> {
	if (writes.length === 0) return before;
	const entries = new Map(before?.entries);
	for (const { field, to } of writes) {
		const createdAt = entries.get(field.id)?.createdAt ?? nowMs;
		if (!to) entries.delete(field.id);
		else
			entries.set(field.id, {
				fieldId: field.id,
				value: to.value,
				byRule: to.byRule,
				createdAt,
				updatedAt: nowMs,
			});
	}
	const json = toJson(entries, before?.createdAt ?? nowMs);
	if (before) {
		await updateValues(db, { id: before.id, json, updatedAt: nowMs });
		return { ...before, entries };
	}
	const row = { recordUuid: record.uuid, createdAt: nowMs };
	const id = await insertNumbered(db, "customFieldValues", {
		...row,
		companyUuid: caller.companyUuid,
		category: record.category,
		json,
		updatedAt: nowMs,
	});
	return { id, ...row, entries };
}
