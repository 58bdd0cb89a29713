import { EVENT_IDS, type EventId } from "@partnerwire/wire";
import * as z from "zod";

/* References as records show them, and the schema of an event id. */

/** The partner types of the API (docs/contract.md#what-the-service-does). */
export const PartnerType = z.enum(["referral", "reseller", "distributor"]);
export type PartnerType = z.infer<typeof PartnerType>;

/** A reference to a record that has a label: a stage, tier, category or tag. */
export const LabelRef = z.object({ uuid: z.string(), label: z.string() });
export type LabelRef = z.infer<typeof LabelRef>;

export const UserRef = z.object({
	uuid: z.string(),
	first_name: z.string(),
	last_name: z.string(),
	email: z.string(),
});
export type UserRef = z.infer<typeof UserRef>;

export const CurrencyRef = z.object({
	uuid: z.string(),
	code: z.string(),
	label: z.string(),
});
export type CurrencyRef = z.infer<typeof CurrencyRef>;

/** The partner that a record belongs to, as the REST API shows it. */
export const PartnershipRef = z.object({
	uuid: z.string(),
	name: z.string(),
	partner_type: PartnerType,
});
export type PartnershipRef = z.infer<typeof PartnershipRef>;

/** A custom field's value on a record, in its canonical form (docs/custom-fields.md). */
export const CustomFieldValue = z.object({
	uuid: z.string(),
	label: z.string(),
	type: z.string(),
	value: z.unknown(),
});
export type CustomFieldValue = z.infer<typeof CustomFieldValue>;

/** The schema of an event id. The 19 ids themselves are in `@partnerwire/wire`. */
export const EventIdSchema = z.enum(EVENT_IDS as [EventId, ...EventId[]]);
