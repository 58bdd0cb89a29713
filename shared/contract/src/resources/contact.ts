import * as z from "zod";
import { crud, nestedCrud } from "../table/crud.ts";
import { querySearch, sortQuery } from "../table/list-query.ts";
import { PartnershipRef } from "../table/references.ts";
import { email, text, timestamp } from "../table/text.ts";
import { Uuid } from "../table/uuid.ts";

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

const ContactCreate = PartnerContactCreate.extend({
	partnership_uuid: Uuid,
});

export const ContactUpdate = z.object({ ...optional, ...mandatory }).partial();
export type ContactUpdate = z.infer<typeof ContactUpdate>;

const contactFilters = {
	search: querySearch().optional(),
	partnership_uuid: Uuid.optional(),
	sort: sortQuery(),
};

/** Deleting a contact emits nothing: the contract has no such event (docs/contract.md#events). */
const contactEvents = {
	create: ["partner_contact_created"],
	update: ["partner_contact_updated"],
	remove: [],
} as const;

/** Contacts, over all partners and under each. */
export const contactOperations = {
	...crud({
		noun: "Contact",
		plural: "Contacts",
		removal: "delete",
		path: "/v1/contacts",
		item: Contact,
		create: ContactCreate,
		update: ContactUpdate,
		filters: contactFilters,
		emits: contactEvents,
	}),
	...nestedCrud({
		noun: "PartnerContact",
		plural: "PartnerContacts",
		parent: "/v1/partners/{uuid}",
		segment: "contacts",
		group: "Partners",
		item: Contact,
		create: PartnerContactCreate,
		update: ContactUpdate,
		emits: contactEvents,
	}),
};
