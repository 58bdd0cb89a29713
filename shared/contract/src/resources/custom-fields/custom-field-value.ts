import { z } from "zod";
import { CustomFieldValue } from "../../table/references.ts";
import { timestamp } from "../../table/text.ts";
import { Uuid } from "../../table/uuid.ts";
import { CustomFieldCategory, CustomFieldValueBody } from "./custom-field.ts";

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
