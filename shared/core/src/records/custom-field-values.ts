import {
	ApiError,
	type CustomFieldCategory,
	invalidMembers,
	notFound,
	type StoredCustomFieldValue,
} from "@partnerwire/contract";
import type { Context } from "../context/context.ts";
import { loadFieldSet } from "../custom-fields/engine/load-field-set.ts";
import { toShownValue } from "../custom-fields/engine/show-values.ts";
import { findValue } from "../custom-fields/engine/stored-values.ts";
import { toValueUuid } from "../custom-fields/engine/value-uuid.ts";
import type { Handlers } from "../execute/handlers.ts";
import { toTimes } from "../values/times.ts";
import { type Found, fieldsOf } from "./record-custom-fields.ts";

const toShown = ({ field, values, row }: Found): StoredCustomFieldValue => ({
	uuid: toValueUuid(values, field.id),
	custom_field_uuid: field.uuid,
	entity_type: field.category,
	entity_uuid: values.recordUuid,
	value: toShownValue(field, row.value),
	...toTimes(row),
});

const NOUN = "custom field value";

/** Reads a value of the caller's company, with its field and record. */
async function readValue(uuid: string, { db, caller }: Context) {
	const value = await findValue(db, uuid);
	const set = value && (await loadFieldSet(db, caller.companyUuid));
	const field = set?.fields.find(({ id }) => id === value?.fieldId);
	const row = field && value?.values.entries.get(field.id);
	if (!value || !field || !row) throw notFound(NOUN);
	const { values } = value;
	const { recordUuid } = values;
	return { row, field, values, recordUuid, fields: fieldsOf[field.category] };
}

/** Throws a 400 if the body's record is unknown or archived (docs/decisions.md#references-in-a-body). */
async function findRecord(
	type: CustomFieldCategory,
	uuid: string,
	context: Context,
): Promise<void> {
	const records = fieldsOf[type];
	const refuse = (message: string) => (error: unknown) => {
		if (error instanceof ApiError && error.code === "not_found")
			throw invalidMembers([{ field: "body/entity_uuid", message }]);
		throw error;
	};
	await records
		.read(uuid, context)
		.catch(refuse("does not refer to a record of this account"));
	await records
		.readLive(uuid, context)
		.catch(refuse("refers to an archived record"));
}

/** Custom field values as records of their own. */
export const customFieldValueHandlers = {
	/** Replaces the value if the record has one already. */
	createCustomFieldValue: async ({ body }, context) => {
		const { entity_type: type, entity_uuid: uuid, value } = body;
		await findRecord(type, uuid, context);
		const submission = { uuid: body.custom_field_uuid, value };
		const { found, changes } = await fieldsOf[type].setValue(
			uuid,
			submission,
			context,
		);
		return { result: toShown(found), changes };
	},

	getCustomFieldValue: async ({ params }, context) => {
		const value = await readValue(params.uuid, context);
		const { field, fields, recordUuid } = value;
		const record = { params: { uuid: recordUuid } };
		// A hidden value is never returned.
		const shown = await fields.handlers.list(record, context);
		if (!shown.some(({ id }) => id === field.id)) throw notFound(NOUN);
		return toShown(value);
	},

	updateCustomFieldValue: async ({ params, body }, context) => {
		const { recordUuid, field, fields } = await readValue(params.uuid, context);
		const submission = { uuid: field.uuid, value: body.value };
		const set = await fields.setValue(recordUuid, submission, context);
		return { result: toShown(set.found), changes: set.changes };
	},

	deleteCustomFieldValue: async ({ params }, context) => {
		const { recordUuid, field, fields } = await readValue(params.uuid, context);
		return fields.remove(recordUuid, [field.uuid], context);
	},
} satisfies Partial<Handlers>;
