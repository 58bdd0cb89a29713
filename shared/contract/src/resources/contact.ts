import { z } from "zod";
import { querySearch } from "../table/list-query.ts";
import { PartnershipRef } from "../table/references.ts";
import { email, text, timestamp } from "../table/text.ts";
import { Uuid } from "../table/uuid.ts";
import { sortQuery } from "./sort.ts";

/** A contact of a partner (docs/contract.md#other-resources). */
export const Contact = z.object({
	uuid: z.string(),
	first_name: z.string().nullable(),
	last_name: z.string().nullable(),
	email: z.string(),
	phone_number: z.string().nullable(),
	partnership: PartnershipRef,
	created_at: timestamp(),
	updated_at: timestamp(),
});
export type Contact = z.infer<typeof Contact>;

const optional = {
	first_name: text().nullable(),
	last_name: text().nullable(),
	phone_number: text(64).nullable(),
};
const mandatory = { email: email() };

/** The body under a partner's path, which names the partner. */
export const PartnerContactCreate = z
	.object(optional)
	.partial()
	.extend(mandatory);
export type PartnerContactCreate = z.infer<typeof PartnerContactCreate>;

export const ContactCreate = PartnerContactCreate.extend({
	partnership_uuid: Uuid,
});

export const ContactUpdate = z.object({ ...optional, ...mandatory }).partial();
export type ContactUpdate = z.infer<typeof ContactUpdate>;

export const contactFilters = {
	search: querySearch().optional(),
	partnership_uuid: Uuid.optional(),
	sort: sortQuery(),
};
