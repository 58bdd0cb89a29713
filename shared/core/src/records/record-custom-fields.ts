import {
	type CustomFieldInputs,
	notFound,
	type RecordCustomField,
	type Success,
} from "@partnerwire/contract";
import type { Change } from "../context/change.ts";
import type { Context } from "../context/context.ts";
import { loadFieldSet } from "../custom-fields/engine/load-field-set.ts";
import type { Field, Submission } from "../custom-fields/engine/model.ts";
import {
	toShownValue,
	visibleFields,
} from "../custom-fields/engine/show-values.ts";
import type {
	ValueRow,
	ValuesRow,
} from "../custom-fields/engine/stored-values.ts";
import {
	fromValueUuid,
	toValueUuid,
} from "../custom-fields/engine/value-uuid.ts";
import { deals } from "../deals/deals.ts";
import type { Outcome } from "../execute/handlers.ts";
import { leads } from "../leads/leads.ts";
import { partners } from "../partners/partners.ts";
import {
	loadFields,
	type RecordFieldsKind,
	type Submitted,
	toSurface,
	type ViewedRecord,
} from "../resource/record-fields.ts";
import type { One, Part } from "../resource/resource-kind.ts";
import { toTimes } from "../values/times.ts";

/** The operations on the records that have values; `createRecords` makes it. */
interface Records<Viewed> {
	readonly fields?: RecordFieldsKind<Viewed>;
	read(uuid: string, context: Context): Promise<Viewed>;
	readLive(uuid: string, context: Context): Promise<Viewed>;
	change(
		viewed: Viewed,
		columns: object,
		context: Context,
		options: { submitted: Submitted },
	): Promise<{ changes: readonly Change[] }>;
}

const NOUN = "custom field value";

/** A record's value of a field. */
export interface Found {
	readonly field: Field;
	readonly values: ValuesRow;
	readonly row: ValueRow;
}

const toItem = ({ field, values, row }: Found): RecordCustomField => ({
	uuid: field.uuid,
	label: field.label,
	type: field.type,
	value: toShownValue(field, row.value),
	id: field.id,
	value_uuid: toValueUuid(values, field.id),
	...toTimes(row),
});

/** The handlers of the values of one kind of record. A write is an update of the record, with the same checks. */
function createFieldHandlers<Viewed extends ViewedRecord>(
	records: Records<Viewed>,
) {
	const kind = records.fields as RecordFieldsKind<Viewed>;

	/** The account's fields and the record's rows. */
	async function load(viewed: Viewed, context: Context) {
		const { db, caller, standing } = context;
		const set = await loadFieldSet(db, caller.companyUuid, standing);
		const values = (await loadFields([viewed], kind, context)).valuesOf(viewed);
		const visible =
			set && values
				? visibleFields(set, toSurface(kind, viewed), values.entries)
				: [];
		return { fields: set?.fields ?? [], values, visible };
	}

	async function listOf(viewed: Viewed, context: Context) {
		const { values, visible } = await load(viewed, context);
		return visible.flatMap((field) => {
			const row = values?.entries.get(field.id);
			return row && values ? [toItem({ field, values, row })] : [];
		});
	}

	/** The field that a path names, and the record's value of it. */
	async function findField(viewed: Viewed, uuid: string, context: Context) {
		const { fields, values } = await load(viewed, context);
		const named = fromValueUuid(uuid);
		const isValue =
			values && named && toValueUuid(values, named.fieldId) === uuid;
		const field = fields.find(
			(field) => field.uuid === uuid || (isValue && field.id === named.fieldId),
		);
		if (!field) throw notFound(NOUN);
		const row = values?.entries.get(field.id);
		return { field, found: row && values ? { field, values, row } : null };
	}

	async function change(uuid: string, submitted: Submitted, context: Context) {
		const viewed = await records.readLive(uuid, context);
		return records.change(viewed, {}, context, { submitted });
	}

	/** Sets one value. Answers the stored value, even if it is hidden. */
	async function setValue(
		uuid: string,
		submission: Submission,
		context: Context,
	) {
		const { changes } = await change(
			uuid,
			{ submissions: [submission] },
			context,
		);
		const viewed = await records.readLive(uuid, context);
		const { found } = await findField(viewed, submission.uuid, context);
		if (!found) throw notFound(NOUN);
		return { found, changes };
	}

	const setAll =
		(isFullSet: boolean) =>
		async (
			{ params, body }: One & { body: { custom_fields: CustomFieldInputs } },
			context: Context,
		): Promise<Outcome<RecordCustomField[]>> => {
			const submitted = { submissions: body.custom_fields, isFullSet };
			const { changes } = await change(params.uuid, submitted, context);
			const viewed = await records.read(params.uuid, context);
			return { result: await listOf(viewed, context), changes };
		};

	const setOne = async (
		{ params, body }: Part & { body: { value: unknown } },
		context: Context,
	): Promise<Outcome<RecordCustomField>> => {
		const viewed = await records.readLive(params.uuid, context);
		const { field } = await findField(viewed, params.subUuid, context);
		const submission = { uuid: field.uuid, value: body.value };
		const set = await setValue(params.uuid, submission, context);
		return { result: toItem(set.found), changes: set.changes };
	};

	async function remove(
		uuid: string,
		fields: readonly string[],
		context: Context,
	): Promise<Outcome<Success>> {
		const submissions = fields.map(
			(field) => ({ uuid: field, value: null, how: "removed" }) as const,
		);
		const { changes } = await change(uuid, { submissions }, context);
		return { result: { success: true }, changes };
	}

	return {
		read: records.read,
		readLive: records.readLive,
		listOf,
		setValue,
		remove,

		handlers: {
			list: async ({ params }: One, context: Context) =>
				listOf(await records.read(params.uuid, context), context),

			set: setAll(true),
			update: setAll(false),

			/** Without uuids, it removes all values of the record, hidden ones too. */
			removeSome: async (
				{
					params,
					query,
					body,
				}: One & {
					query: { uuids?: string[] | undefined };
					body: { uuids?: string[] | undefined } | undefined;
				},
				context: Context,
			) => {
				const viewed = await records.readLive(params.uuid, context);
				const { values, fields } = await load(viewed, context);
				const stored = fields.filter(({ id }) => values?.entries.has(id));
				const requested = query.uuids ?? body?.uuids;
				const uuids = requested ?? stored.map(({ uuid }) => uuid);
				return remove(params.uuid, [...new Set(uuids)], context);
			},

			get: async ({ params }: Part, context: Context) => {
				const viewed = await records.read(params.uuid, context);
				const { field } = await findField(viewed, params.subUuid, context);
				const item = (await listOf(viewed, context)).find(
					({ id }) => id === field.id,
				);
				if (!item) throw notFound(NOUN);
				return item;
			},

			setOne,

			removeOne: async ({ params }: Part, context: Context) => {
				const viewed = await records.readLive(params.uuid, context);
				const { field, found } = await findField(
					viewed,
					params.subUuid,
					context,
				);
				if (!found) throw notFound(NOUN);
				return remove(params.uuid, [field.uuid], context);
			},
		},
	};
}

/** The handlers of each kind of record, by the category of its fields. */
export const fieldsOf = {
	lead: createFieldHandlers(leads),
	lead_deal: createFieldHandlers(deals),
	partner: createFieldHandlers(partners),
};
