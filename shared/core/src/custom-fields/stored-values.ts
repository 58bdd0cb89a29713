import {
	type AnyColumn,
	and,
	eq,
	exists,
	inArray,
	type SQL,
	sql,
} from "drizzle-orm";
import type { Db } from "../db/db.ts";
import { insertRows, type RowOf } from "../db/insert-row.ts";
import { defineQuery } from "../db/prepared.ts";
import type { Context } from "../execute/context.ts";
import type { FieldWrite, Stored, Value } from "./model.ts";

/** A stored value with its row. */
export interface ValueRow extends Stored {
	readonly uuid: string;
	readonly recordUuid: string;
	readonly fieldId: number;
	readonly createdAt: number;
	readonly updatedAt: number;
}

/** Whether a record has custom field values: without any, nothing of them is asked when it is read. */
export const hasValues = (
	{ query, tables: { customFieldValue } }: Db,
	recordUuid: AnyColumn,
): SQL<unknown> =>
	exists(
		query
			.select({ one: sql`1` })
			.from(customFieldValue)
			.where(eq(customFieldValue.recordUuid, recordUuid)),
	);

const selectValues = ({ query, tables: { customFieldValue } }: Db) =>
	query.select().from(customFieldValue).$dynamic();

const valuesOfOne = defineQuery("values_of_record", (db) =>
	selectValues(db).where(
		eq(db.tables.customFieldValue.recordUuid, sql.placeholder("recordUuid")),
	),
);

const valueByUuid = defineQuery("value_by_uuid", (db) =>
	selectValues(db).where(
		eq(db.tables.customFieldValue.uuid, sql.placeholder("uuid")),
	),
);

export const toValueRow = ({
	customFieldId,
	value,
	...row
}: RowOf<"customFieldValue">): ValueRow => ({
	...row,
	fieldId: customFieldId,
	value: value === null ? null : (JSON.parse(value) as Value),
});

/** The value rows of records, by record: one query for all of them, a prepared one where it is one. */
export async function loadValues(
	db: Db,
	recordUuids: readonly string[],
): Promise<Map<string, ValueRow[]>> {
	const found = new Map<string, ValueRow[]>();
	const [recordUuid] = recordUuids;
	if (recordUuid === undefined) return found;
	const rows = await (recordUuids.length === 1
		? valuesOfOne(db, { recordUuid })
		: selectValues(db).where(
				inArray(db.tables.customFieldValue.recordUuid, [...recordUuids]),
			));
	for (const row of rows) {
		const others = found.get(row.recordUuid);
		if (others) others.push(toValueRow(row));
		else found.set(row.recordUuid, [toValueRow(row)]);
	}
	return found;
}

export async function findValue(
	db: Db,
	uuid: string,
): Promise<ValueRow | null> {
	const [row] = await valueByUuid(db, { uuid });
	return row ? toValueRow(row) : null;
}

/** Writes values in the caller's transaction, and answers the record's rows as they are then. */
export async function writeValues(
	recordUuid: string,
	before: readonly ValueRow[],
	writes: readonly FieldWrite[],
	{ db, nowMs, newUuid }: Pick<Context, "db" | "nowMs" | "newUuid">,
): Promise<ValueRow[]> {
	if (writes.length === 0) return [...before];
	const rows = new Map(before.map((row) => [row.fieldId, row]));
	const added: ValueRow[] = [];
	const { customFieldValue } = db.tables;
	for (const { field, to } of writes) {
		const row = rows.get(field.id);
		const own = row && eq(customFieldValue.uuid, row.uuid);
		if (!to) {
			if (own) await db.query.delete(customFieldValue).where(own);
			rows.delete(field.id);
		} else if (row) {
			const changed = { ...row, ...to, updatedAt: nowMs };
			await db.query
				.update(customFieldValue)
				.set({
					value: toJson(to.value),
					byRule: to.byRule,
					updatedAt: nowMs,
				})
				.where(own);
			rows.set(field.id, changed);
		} else {
			const times = { createdAt: nowMs, updatedAt: nowMs };
			const uuid = newUuid();
			const one = { uuid, recordUuid, fieldId: field.id, ...to, ...times };
			rows.set(field.id, one);
			added.push(one);
		}
	}
	await insertRows(
		db,
		"customFieldValue",
		added.map(({ fieldId, value, ...row }) => ({
			...row,
			customFieldId: fieldId,
			value: toJson(value),
		})),
	);
	return [...rows.values()];
}

const toJson = (value: Value | null) =>
	value === null ? null : JSON.stringify(value);

/** The values of a field that are no blanks, which keep it from being deleted. */
export const usesOfField = (
	{ customFieldValue }: Db["tables"],
	fieldId: number,
): SQL | undefined =>
	and(
		eq(customFieldValue.customFieldId, fieldId),
		sql`${customFieldValue.value} is not null`,
	);
