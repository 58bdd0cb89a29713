import {
	ApiError,
	type CustomFieldCategory,
	type CustomFieldValue,
	type PartnerType,
	tellMembers,
} from "@partnerwire/contract";
import type { Context } from "../context/context.ts";
import { enforce } from "../custom-fields/engine/enforce.ts";
import type { Entries } from "../custom-fields/engine/entries.ts";
import { loadFieldSet } from "../custom-fields/engine/load-field-set.ts";
import type {
	FieldSet,
	Submission,
	Surface,
	Violation,
} from "../custom-fields/engine/model.ts";
import {
	showValues,
	toFieldChanges,
	visibleFields,
} from "../custom-fields/engine/show-values.ts";
import {
	loadValues,
	type ValuesRow,
	writeValues,
} from "../custom-fields/engine/stored-values.ts";
import { toFullSet } from "../custom-fields/engine/to-full-set.ts";
import type { AuditChange } from "../db/tables/system.ts";

/** A record as its kind's query reads it, and whether it has custom field values. */
export interface ViewedRecord {
	readonly row: { uuid: string; companyUuid: string };
	readonly hasFields?: unknown;
}

/** A kind of record, as custom fields see it. */
export interface RecordFieldsKind<Viewed> {
	readonly category: CustomFieldCategory;
	partnerTypeOf(viewed: Viewed): PartnerType;
}

/** The custom field values that a request submits for a record. */
export interface Submitted {
	readonly submissions: readonly Submission[];
	/** Whether answers that are not mentioned are removed. */
	readonly isFullSet?: boolean;
}

/** The account of a company without any custom field. */
const NO_FIELDS: FieldSet = { fields: [], rules: [], country: null };

/** One 400 with a detail for each refused field (docs/contract.md#errors). */
const refusal = (violations: readonly Violation[]): ApiError =>
	new ApiError(
		"validation_error",
		tellMembers(
			violations.map(({ field, label, message }) => ({
				field: label ?? field,
				message,
			})),
		),
		{ details: violations },
	);

export interface FieldsChange {
	readonly values: ValuesRow | undefined;
	readonly auditChanges: readonly AuditChange[];
	/** The fields that it was checked against; undefined if they were not loaded. */
	readonly set?: FieldSet | null;
}

const NO_ENTRIES: Entries = new Map();

/**
 * Checks and writes the custom fields of one record. Every write path calls it. Before anything is written, it throws
 * a 400 that names each refused field.
 */
export async function changeFields(
	record: {
		entity: string;
		uuid: string;
		/** Called only if there is something to check. */
		toSurface: () => Promise<Surface>;
	},
	values: ValuesRow | undefined,
	{ submissions, isFullSet = false }: Submitted,
	context: Context,
): Promise<FieldsChange> {
	const { db, caller, standing } = context;
	const configured = await loadFieldSet(db, caller.companyUuid, standing);
	if (!configured && submissions.length === 0)
		return { values, auditChanges: [], set: configured };
	const set = configured ?? NO_FIELDS;
	const surface = await record.toSurface();
	const before = values?.entries ?? NO_ENTRIES;
	const toEnforce = isFullSet
		? toFullSet(set, surface, before, submissions)
		: submissions;
	const { writes, violations } = enforce(set, surface, before, toEnforce);
	if (violations.length > 0) throw refusal(violations);
	if (writes.length === 0) return { values, auditChanges: [], set };
	const { uuid, entity } = record;
	const { category } = surface;
	const written = await writeValues(
		{ uuid, category },
		values,
		writes,
		context,
	);
	const after = written?.entries ?? NO_ENTRIES;
	const isVisibleIn = (entries: Entries) => {
		const visible = new Set(
			visibleFields(set, surface, entries).map(({ id }) => id),
		);
		return (id: number) => visible.has(id);
	};
	const auditChanges = toFieldChanges(
		entity,
		writes.map(({ field }) => field),
		before,
		after,
		isVisibleIn(before),
		isVisibleIn(after),
	);
	return { values: written, auditChanges, set };
}

/** Loads the values of records that have any. The answer shows them for each record. */
export async function loadFields<Viewed extends ViewedRecord>(
	viewed: readonly Viewed[],
	kind: RecordFieldsKind<Viewed> | undefined,
	{ db, standing }: Pick<Context, "db" | "standing">,
) {
	const having = kind ? viewed.filter(({ hasFields }) => hasFields) : [];
	const values = await loadValues(
		db,
		having.map(({ row }) => row.uuid),
	);
	const [first] = having;
	const set =
		first && (await loadFieldSet(db, first.row.companyUuid, standing));
	return {
		valuesOf: ({ row }: ViewedRecord) => values.get(row.uuid),
		show: (record: Viewed): CustomFieldValue[] =>
			kind && set
				? showValues(
						set,
						toSurface(kind, record),
						values.get(record.row.uuid)?.entries ?? NO_ENTRIES,
					)
				: [],
	};
}

/** Shows the values that a change left. */
export async function showFields<Viewed extends ViewedRecord>(
	viewed: Viewed,
	{ values, set: checked }: FieldsChange,
	kind: RecordFieldsKind<Viewed> | undefined,
	{ db, standing }: Pick<Context, "db" | "standing">,
): Promise<CustomFieldValue[]> {
	if (!kind || !values) return [];
	const set =
		checked ?? (await loadFieldSet(db, viewed.row.companyUuid, standing));
	return set ? showValues(set, toSurface(kind, viewed), values.entries) : [];
}

export const toSurface = <Viewed>(
	{ category, partnerTypeOf }: RecordFieldsKind<Viewed>,
	viewed: Viewed,
) => ({ category, partnerType: partnerTypeOf(viewed) });
