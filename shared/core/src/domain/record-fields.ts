import {
	ApiError,
	type CustomFieldCategory,
	type CustomFieldValue,
	type PartnerType,
} from "@partnerwire/contract";
import { enforce } from "../custom-fields/enforce.ts";
import { loadFieldSet } from "../custom-fields/load-field-set.ts";
import type {
	FieldSet,
	Submission,
	Surface,
	Value,
	Violation,
} from "../custom-fields/model.ts";
import {
	showValues,
	toFieldChanges,
	visibleFields,
} from "../custom-fields/show-values.ts";
import {
	loadValues,
	type ValueRow,
	writeValues,
} from "../custom-fields/stored-values.ts";
import { toFullSet } from "../custom-fields/to-full-set.ts";
import type { Db } from "../db/db.ts";
import type { AuditChange } from "../db/tables/system.ts";
import type { Context } from "../execute/context.ts";

/** A record as the query of its kind finds it, with whether it has custom field values. */
export interface ViewedRecord {
	readonly row: { uuid: string; companyUuid: string };
	readonly hasFields?: unknown;
}

/** What custom fields need to know of a kind of record. */
export interface RecordFieldsKind<Viewed> {
	readonly category: CustomFieldCategory;
	partnerTypeOf(viewed: Viewed): PartnerType;
}

/** What a request says of the custom fields of a record. */
export interface Submitted {
	readonly submissions: readonly Submission[];
	/** Whether answers that are not mentioned go. */
	readonly isFullSet?: boolean;
}

/** The account of a company without any custom field. */
const NO_FIELDS: FieldSet = { fields: [], rules: [], country: null };

/** One 400 with a detail for each refused field (spec, Errors: rule 2). */
const refusal = (violations: readonly Violation[]): ApiError =>
	new ApiError(
		"validation_error",
		violations
			.map(({ field, label, message }) => `${label ?? field}: ${message}`)
			.join("; "),
		{ details: violations },
	);

export interface FieldsChange {
	readonly rows: readonly ValueRow[];
	readonly auditChanges: readonly AuditChange[];
}

/**
 * Checks and writes the custom fields of one record: every write path comes through here. Throws a 400 that names each
 * refused field, before anything is written.
 */
export async function changeFields(
	record: {
		entity: string;
		uuid: string;
		/** Asked for only where there is something to check. */
		toSurface: () => Promise<Surface>;
	},
	before: readonly ValueRow[],
	{ submissions, isFullSet = false }: Submitted,
	context: Context,
): Promise<FieldsChange> {
	const { db, caller } = context;
	const configured = await loadFieldSet(db, caller.companyUuid);
	if (!configured && submissions.length === 0)
		return { rows: before, auditChanges: [] };
	const set = configured ?? NO_FIELDS;
	const surface = await record.toSurface();
	const all = isFullSet
		? toFullSet(set, surface, before, submissions)
		: submissions;
	const stored = new Map(before.map((row) => [row.fieldId, row]));
	const { writes, violations } = enforce(set, surface, stored, all);
	if (violations.length > 0) throw refusal(violations);
	if (writes.length === 0) return { rows: before, auditChanges: [] };
	const rows = await writeValues(record.uuid, before, writes, context);
	const seen = new Set(
		[before, rows].flatMap((some) =>
			visibleFields(set, surface, some).map(({ id }) => id),
		),
	);
	const auditChanges = toFieldChanges(
		record.entity,
		writes.map(({ field }) => field),
		toValues(before),
		toValues(rows),
		(id) => seen.has(id),
	);
	return { rows, auditChanges };
}

const toValues = (rows: readonly ValueRow[]): Map<number, Value | null> =>
	new Map(rows.map(({ fieldId, value }) => [fieldId, value]));

/** The rows of records that have any, and how each record shows them. */
export async function loadFields<Viewed extends ViewedRecord>(
	viewed: readonly Viewed[],
	kind: RecordFieldsKind<Viewed> | undefined,
	db: Db,
) {
	const having = kind ? viewed.filter(({ hasFields }) => hasFields) : [];
	const values = await loadValues(
		db,
		having.map(({ row }) => row.uuid),
	);
	const rowsOf = ({ row }: ViewedRecord): readonly ValueRow[] =>
		values.get(row.uuid) ?? [];
	const [first] = having;
	const set = first && (await loadFieldSet(db, first.row.companyUuid));
	const show = (
		one: Viewed,
		rows: readonly ValueRow[] = rowsOf(one),
	): CustomFieldValue[] =>
		kind && set ? showValues(set, toSurface(kind, one), rows) : [];
	return { rowsOf, show };
}

/** Shows the rows that a change left. */
export async function showFields<Viewed extends ViewedRecord>(
	viewed: Viewed,
	rows: readonly ValueRow[],
	kind: RecordFieldsKind<Viewed> | undefined,
	db: Db,
): Promise<CustomFieldValue[]> {
	if (!kind || rows.length === 0) return [];
	const set = await loadFieldSet(db, viewed.row.companyUuid);
	return set ? showValues(set, toSurface(kind, viewed), rows) : [];
}

export const toSurface = <Viewed>(
	{ category, partnerTypeOf }: RecordFieldsKind<Viewed>,
	viewed: Viewed,
) => ({ category, partnerType: partnerTypeOf(viewed) });
