/*
 * The records in webhook bodies (docs/decisions.md#members-of-the-payloads). The contract's schemas are held to these types.
 * Webhooks call a partner's name `company_name`, as the contract's payload does.
 */
import type { Configuration } from "./configuration.ts";
import type { EventId, PayloadKeyOf } from "./event-ids.ts";

type PartnerType = "referral" | "reseller" | "distributor";

interface Label {
	uuid: string;
	label: string;
}

interface Person {
	uuid: string;
	first_name: string;
	last_name: string;
	email: string;
}

interface CustomFieldValue {
	uuid: string;
	label: string;
	type: string;
	value?: unknown;
}

interface Times {
	created_at: string;
	updated_at: string;
}

export interface LeadPayload extends Times {
	uuid: string;
	company_name: string | null;
	email: string | null;
	first_name: string | null;
	last_name: string | null;
	phone_number: string | null;
	website: string | null;
	status: "new" | "contacted" | "qualified" | "converted" | "lost";
	stage: Label | null;
	partnership: {
		uuid: string;
		company_name: string;
		partner_type: PartnerType;
	};
	tags: Label[];
	assigned_users: Person[];
	custom_fields: CustomFieldValue[];
}

export interface DealPayload extends Times {
	uuid: string;
	label: string;
	deal_value: number | null;
	currency: { uuid: string; code: string } | null;
	stage: Label | null;
	lead: { uuid: string; company_name: string | null };
	partnership: { uuid: string; company_name: string };
	expiration_date: string | null;
	custom_fields: CustomFieldValue[];
	tags: Label[];
}

export interface PartnershipPayload extends Times {
	uuid: string;
	company_name: string;
	email: string | null;
	website: string | null;
	phone_number: string | null;
	partner_type: PartnerType;
	stage: Label | null;
	tier: Label | null;
	category: Label | null;
	custom_fields: CustomFieldValue[];
}

/** A note belongs to a lead or to a deal; the other reference is null. */
export interface NotePayload extends Times {
	uuid: string;
	content: string;
	author: Person;
	lead_uuid: string | null;
	deal_uuid: string | null;
}

export interface ContactPayload extends Times {
	uuid: string;
	first_name: string | null;
	last_name: string | null;
	email: string;
	phone_number: string | null;
	partnership: { uuid: string; name: string; partner_type: PartnerType };
}

export interface MessagePayload extends Times {
	uuid: string;
	content: string;
	author: Person;
	partnership_uuid: string;
}

/** The record under each payload key. */
export interface Payloads {
	lead: LeadPayload;
	deal: DealPayload;
	partnership: PartnershipPayload;
	note: NotePayload;
	contact: ContactPayload;
	message: MessagePayload;
}

/** The JSON body of an event: one record under its key, and the integration's `configuration` (docs/contract.md#payload). */
export type EventBody<Id extends EventId = EventId> = {
	[Key in PayloadKeyOf<Id>]: Payloads[Key];
} & { configuration: Configuration };
