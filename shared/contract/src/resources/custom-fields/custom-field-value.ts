import type { EventId } from "@partnerwire/wire";
import * as z from "zod";
import { keyed } from "../../table/inferred.ts";
import { querySet } from "../../table/list-query.ts";
import { defineRead, defineWrite } from "../../table/operation.ts";
import { RecordParams, SubRecordParams, Success } from "../../table/params.ts";
import { CustomFieldValue } from "../../table/references.ts";
import { timestamp } from "../../table/text.ts";
import { Uuid } from "../../table/uuid.ts";
import {
	CustomFieldCategory,
	CustomFieldsBody,
	CustomFieldUuids,
	CustomFieldValueBody,
} from "./custom-field.ts";

/* The values of custom fields, of each kind of record and as records of their own. */

/** A value under its record's `…/custom-fields`: `uuid` is the field's, as it is inline. */
export const RecordCustomField = CustomFieldValue.extend({
	id: z.int(),
	value_uuid: z.string(),
	created_at: timestamp(),
	updated_at: timestamp(),
});
export type RecordCustomField = z.infer<typeof RecordCustomField>;

/** A value as a record of its own, at `/custom-field-values`. */
export const StoredCustomFieldValue = z.object({
	uuid: z.string(),
	custom_field_uuid: z.string(),
	entity_type: CustomFieldCategory,
	entity_uuid: z.string(),
	value: z.unknown(),
	created_at: timestamp(),
	updated_at: timestamp(),
});
export type StoredCustomFieldValue = z.infer<typeof StoredCustomFieldValue>;

/** `deal` is the same as `lead_deal`, and `partnership` the same as `partner`. */
const EntityType = z
	.enum([...CustomFieldCategory.options, "deal", "partnership"])
	.transform((type) =>
		type === "deal" ? "lead_deal" : type === "partnership" ? "partner" : type,
	)
	.meta({
		wire: { enum: [...CustomFieldCategory.options, "deal", "partnership"] },
	});

export const CustomFieldValueCreate = CustomFieldValueBody.extend({
	custom_field_uuid: Uuid,
	entity_type: EntityType,
	entity_uuid: Uuid,
});
export type CustomFieldValueCreate = z.infer<typeof CustomFieldValueCreate>;

const uuidsQuery = z.object({ uuids: querySet(Uuid).optional() });

/**
 * The operations on the custom field values of one kind of record. `{subUuid}` is the uuid of the custom field or of
 * the value.
 */
function fieldsOf<const Noun extends string>(spec: {
	readonly noun: Noun;
	readonly parent: `/${string}/{uuid}`;
	readonly group: string;
	readonly emits: readonly EventId[];
}) {
	const { noun, group, emits } = spec;
	const path = `${spec.parent}/custom-fields` as const;
	const record = noun.toLowerCase();
	const all = { group, path, params: RecordParams };
	const single = {
		group,
		path: `${path}/{subUuid}` as const,
		params: SubRecordParams,
	};
	const list = z.array(RecordCustomField);
	return {
		...keyed(
			`list${noun}CustomFields`,
			defineRead({
				...all,
				summary: `List the custom field values of a ${record}`,
				response: list,
			}),
		),
		...keyed(
			`set${noun}CustomFields`,
			defineWrite({
				...all,
				method: "PUT",
				summary: `Set all custom field values of a ${record}: those left out are cleared`,
				exact: true,
				body: CustomFieldsBody,
				response: list,
				emits,
			}),
		),
		...keyed(
			`update${noun}CustomFields`,
			defineWrite({
				...all,
				method: "PATCH",
				summary: `Set some custom field values of a ${record}`,
				body: CustomFieldsBody,
				response: list,
				emits,
			}),
		),
		...keyed(
			`delete${noun}CustomFields`,
			defineWrite({
				...all,
				method: "DELETE",
				summary: `Delete the given custom field values of a ${record}, or all of them`,
				exact: true,
				query: uuidsQuery,
				body: CustomFieldUuids,
				response: Success,
				emits,
			}),
		),
		...keyed(
			`get${noun}CustomField`,
			defineRead({
				...single,
				summary: `Get a custom field value of a ${record}`,
				response: RecordCustomField,
			}),
		),
		...keyed(
			`set${noun}CustomField`,
			defineWrite({
				...single,
				method: "PUT",
				summary: `Set a custom field value of a ${record}`,
				body: CustomFieldValueBody,
				response: RecordCustomField,
				emits,
			}),
		),
		...keyed(
			`update${noun}CustomField`,
			defineWrite({
				...single,
				method: "PATCH",
				summary: `Change a custom field value of a ${record}`,
				body: CustomFieldValueBody,
				response: RecordCustomField,
				emits,
			}),
		),
		...keyed(
			`delete${noun}CustomField`,
			defineWrite({
				...single,
				method: "DELETE",
				summary: `Delete a custom field value of a ${record}`,
				response: Success,
				emits,
			}),
		),
	};
}

const value = {
	group: "Custom Fields",
	path: "/v1/custom-field-values/{uuid}",
	params: RecordParams,
	emits: ["lead_updated", "deal_updated", "partner_updated"],
} as const;

export const customFieldValueOperations = {
	...fieldsOf({
		noun: "Lead",
		parent: "/v1/leads/{uuid}",
		group: "Leads",
		emits: ["lead_updated"],
	}),
	...fieldsOf({
		noun: "Deal",
		parent: "/v1/deals/{uuid}",
		group: "Deals",
		emits: ["deal_updated"],
	}),
	...fieldsOf({
		noun: "Partner",
		parent: "/v1/partners/{uuid}",
		group: "Partners",
		emits: ["partner_updated"],
	}),
	createCustomFieldValue: defineWrite({
		group: value.group,
		emits: value.emits,
		method: "POST",
		path: "/v1/custom-field-values",
		summary: "Set a custom field value of a record",
		body: CustomFieldValueCreate,
		response: StoredCustomFieldValue,
		status: 201,
	}),
	getCustomFieldValue: defineRead({
		group: value.group,
		path: value.path,
		params: value.params,
		summary: "Get a custom field value",
		response: StoredCustomFieldValue,
	}),
	updateCustomFieldValue: defineWrite({
		...value,
		method: "PATCH",
		summary: "Change a custom field value",
		body: CustomFieldValueBody,
		response: StoredCustomFieldValue,
	}),
	deleteCustomFieldValue: defineWrite({
		...value,
		method: "DELETE",
		summary: "Delete a custom field value",
		response: Success,
	}),
};
