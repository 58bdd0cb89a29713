import {
	type EventId,
	type PayloadKey,
	type Payloads,
	payloadKeyOf,
} from "@partnerwire/wire";
import * as z from "zod";
import {
	CustomFieldValue,
	LabelRef,
	PartnerType,
	UserRef,
} from "../../table/references.ts";
import { timestamp } from "../../table/text.ts";
import { LeadStatus } from "../lead.ts";
import { Configuration } from "./webhook-request.ts";

/*
 * The records in webhook bodies (docs/decisions.md#members-of-the-payloads). Webhooks call a partner's name `company_name`,
 * as the contract's payload does.
 */

const nullableText = z.string().nullable();
const times = { created_at: timestamp(), updated_at: timestamp() };

export const LeadPayload = z.object({
	uuid: z.string(),
	company_name: nullableText,
	email: nullableText,
	first_name: nullableText,
	last_name: nullableText,
	phone_number: nullableText,
	website: nullableText,
	status: LeadStatus,
	stage: LabelRef.nullable(),
	partnership: z.object({
		uuid: z.string(),
		company_name: z.string(),
		partner_type: PartnerType,
	}),
	tags: z.array(LabelRef),
	assigned_users: z.array(UserRef),
	custom_fields: z.array(CustomFieldValue),
	...times,
});
export type LeadPayload = z.infer<typeof LeadPayload>;

export const DealPayload = z.object({
	uuid: z.string(),
	label: z.string(),
	deal_value: z.number().nullable(),
	currency: z.object({ uuid: z.string(), code: z.string() }).nullable(),
	stage: LabelRef.nullable(),
	lead: z.object({ uuid: z.string(), company_name: nullableText }),
	partnership: z.object({ uuid: z.string(), company_name: z.string() }),
	expiration_date: nullableText,
	custom_fields: z.array(CustomFieldValue),
	tags: z.array(LabelRef),
	...times,
});
export type DealPayload = z.infer<typeof DealPayload>;

export const PartnershipPayload = z.object({
	uuid: z.string(),
	company_name: z.string(),
	email: nullableText,
	website: nullableText,
	phone_number: nullableText,
	partner_type: PartnerType,
	stage: LabelRef.nullable(),
	tier: LabelRef.nullable(),
	category: LabelRef.nullable(),
	custom_fields: z.array(CustomFieldValue),
	...times,
});
export type PartnershipPayload = z.infer<typeof PartnershipPayload>;

/** A note belongs to a lead or to a deal; the other reference is null. */
export const NotePayload = z.object({
	uuid: z.string(),
	content: z.string(),
	author: UserRef,
	lead_uuid: nullableText,
	deal_uuid: nullableText,
	...times,
});
export type NotePayload = z.infer<typeof NotePayload>;

export const ContactPayload = z.object({
	uuid: z.string(),
	first_name: nullableText,
	last_name: nullableText,
	email: z.string(),
	phone_number: nullableText,
	partnership: z.object({
		uuid: z.string(),
		name: z.string(),
		partner_type: PartnerType,
	}),
	...times,
});
export type ContactPayload = z.infer<typeof ContactPayload>;

export const MessagePayload = z.object({
	uuid: z.string(),
	content: z.string(),
	author: UserRef,
	partnership_uuid: z.string(),
	...times,
});
export type MessagePayload = z.infer<typeof MessagePayload>;

const PAYLOADS = {
	lead: LeadPayload,
	deal: DealPayload,
	partnership: PartnershipPayload,
	note: NotePayload,
	contact: ContactPayload,
	message: MessagePayload,
} as const satisfies { [Key in PayloadKey]: z.ZodType<Payloads[Key]> };

/** The schema of an event's body. It allows unknown members: new ones may come at any time (docs/contract.md#versioning). */
export function eventBodySchema(id: EventId): z.ZodObject {
	const key = payloadKeyOf(id);
	return z.object({ [key]: PAYLOADS[key], configuration: Configuration });
}

/** The members of an event's record. */
export const payloadMembersOf = (id: EventId): readonly string[] =>
	Object.keys(PAYLOADS[payloadKeyOf(id)].shape);

/** The JSON Schema of an event's body, without references. */
export const eventJsonSchema = (id: EventId): Record<string, unknown> => ({
	...z.toJSONSchema(eventBodySchema(id), { io: "input" }),
});
