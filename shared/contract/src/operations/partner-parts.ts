import { z } from "zod";
import {
	Contact,
	ContactCreate,
	ContactUpdate,
	contactFilters,
	PartnerContactCreate,
} from "../resources/contact.ts";
import { Note, NoteCreate, NoteUpdate } from "../resources/note.ts";
import {
	PartnerDomain,
	PartnerDomainCreate,
	PartnerDomainUpdate,
} from "../resources/partner-domain.ts";
import { crud, nestedCrud } from "../table/crud.ts";
import { defineRead, defineWrite } from "../table/operation.ts";
import { RecordParams, SubRecordParams, Success } from "../table/params.ts";
import { PartnershipRef } from "../table/references.ts";
import { Uuid } from "../table/uuid.ts";

const parent = "/v1/partners/{uuid}";
const group = "Partners";
const updated = ["partner_updated"] as const;

/** Deleting a contact emits nothing: the contract has no such event (docs/contract.md#events). */
const contactEvents = {
	create: ["partner_contact_created"],
	update: ["partner_contact_updated"],
	remove: [],
} as const;

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
		parent,
		segment: "contacts",
		group,
		item: Contact,
		create: PartnerContactCreate,
		update: ContactUpdate,
		emits: contactEvents,
	}),
};

/** The parts of partners: all but their contacts, tags, users and stages. */
export const partnerPartOperations = {
	...nestedCrud({
		noun: "PartnerDomain",
		plural: "PartnerDomains",
		parent,
		segment: "domains",
		group,
		item: PartnerDomain,
		create: PartnerDomainCreate,
		update: PartnerDomainUpdate,
		emits: { create: updated, update: updated, remove: updated },
	}),
	...nestedCrud({
		noun: "PartnerNote",
		plural: "PartnerNotes",
		parent,
		segment: "notes",
		group,
		item: Note,
		create: NoteCreate,
		update: NoteUpdate,
	}),
	listPartnerResellers: defineRead({
		group,
		path: `${parent}/resellers`,
		params: RecordParams,
		summary: "List the resellers of a distributor",
		response: z.array(PartnershipRef),
	}),
	addPartnerReseller: defineWrite({
		method: "POST",
		group,
		path: `${parent}/resellers`,
		params: RecordParams,
		summary: "Add a reseller to a distributor",
		body: z.object({ reseller_uuid: Uuid }),
		response: PartnershipRef,
		emits: updated,
	}),
	removePartnerReseller: defineWrite({
		method: "DELETE",
		group,
		path: `${parent}/resellers/{subUuid}`,
		params: SubRecordParams,
		summary: "Remove a reseller from a distributor",
		response: Success,
		emits: updated,
	}),
};
