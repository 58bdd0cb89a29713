import { and, asc, count, eq, gt, not, type SQL } from "drizzle-orm";
import type { Db } from "../../db/db.ts";
import type { RowOf } from "../../db/insert-row.ts";
import { blankOf, fromJson, mentionOf, toJson } from "./entries.ts";
import type { Value } from "./model.ts";

/** The field whose values are counted or removed. */
type Of = Pick<RowOf<"customField">, "id" | "companyUuid" | "category">;

const ofField = ({ tables, dialect }: Db, field: Of): SQL | undefined => {
	const { customFieldValues } = tables;
	return and(
		eq(customFieldValues.companyUuid, field.companyUuid),
		eq(customFieldValues.category, field.category),
		dialect.includes(customFieldValues.json, mentionOf(field.id)),
	);
};

/** The condition for records with a value of a field that is not blank. */
const isUsed = (db: Db, field: Of): SQL | undefined =>
	and(
		ofField(db, field),
		not(
			db.dialect.includes(db.tables.customFieldValues.json, blankOf(field.id)),
		),
	);

/** Counts the records with a value of a field that is not blank. Reads the values of all records of the category. */
export async function countUses(db: Db, field: Of): Promise<number> {
	const [counted] = await db.query
		.select({ rows: count() })
		.from(db.tables.customFieldValues)
		.where(isUsed(db, field));
	return counted?.rows ?? 0;
}

/** The records that `countUses` counts. */
export const selectUsers = (db: Db, field: Of) =>
	db.query
		.select({ uuid: db.tables.customFieldValues.recordUuid })
		.from(db.tables.customFieldValues)
		.where(isUsed(db, field));

const BATCH = 500;

async function* readUses(db: Db, field: Of) {
	const { customFieldValues } = db.tables;
	let last = 0;
	for (;;) {
		const rows = await db.query
			.select({
				id: customFieldValues.id,
				json: customFieldValues.json,
				rowMs: customFieldValues.createdAt,
			})
			.from(customFieldValues)
			.where(and(ofField(db, field), gt(customFieldValues.id, last)))
			.orderBy(asc(customFieldValues.id))
			.limit(BATCH);
		yield* rows;
		const end = rows.at(-1);
		if (!end || rows.length < BATCH) return;
		last = end.id;
	}
}

const holds = (value: Value | null | undefined, optionId: number) =>
	Array.isArray(value) ? value.includes(optionId) : value === optionId;

/** Counts the records that have chosen an option of a field. */
export async function countChoices(
	db: Db,
	field: Of,
	optionId: number,
): Promise<number> {
	let uses = 0;
	for await (const { json, rowMs } of readUses(db, field))
		if (holds(fromJson(json, rowMs).get(field.id)?.value, optionId)) uses++;
	return uses;
}

/** Removes the blanks of a field that is deleted, because its integer id may be used again. */
export async function removeBlanks(db: Db, field: Of): Promise<void> {
	const { customFieldValues } = db.tables;
	for await (const { id, json, rowMs } of readUses(db, field)) {
		const entries = fromJson(json, rowMs);
		entries.delete(field.id);
		await db.query
			.update(customFieldValues)
			.set({ json: toJson(entries, rowMs) })
			.where(eq(customFieldValues.id, id));
	}
}
