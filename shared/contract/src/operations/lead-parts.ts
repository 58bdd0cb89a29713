import { z } from "zod";
import { LeadContact } from "../resources/lead.ts";
import {
	LeadAttribution,
	LeadAttributionCreate,
	LeadAttributionUpdate,
} from "../resources/lead-attribution.ts";
import {
	RecordProduct,
	RecordProductCreate,
	RecordProductUpdate,
} from "../resources/product.ts";
import { Quote, QuotePut } from "../resources/quote.ts";
import { nestedCrud } from "../table/crud.ts";
import { links } from "../table/links.ts";
import { defineRead, defineWrite } from "../table/operation.ts";
import { RecordParams, Success } from "../table/params.ts";
import { PartnershipRef } from "../table/references.ts";
import { Uuid } from "../table/uuid.ts";

const parent = "/v1/leads/{uuid}";
const group = "Leads";
const emits = ["lead_updated"] as const;
const changing = { group, emits, params: RecordParams };

const quote = { ...changing, path: `${parent}/quote` } as const;
const distributor = { ...changing, path: `${parent}/distributor` } as const;

/** The parts of leads: all but their notes, tags and users. */
export const leadPartOperations = {
	...nestedCrud({
		noun: "LeadAttribution",
		plural: "LeadAttributions",
		parent,
		segment: "attributions",
		group,
		item: LeadAttribution,
		create: LeadAttributionCreate,
		update: LeadAttributionUpdate,
		emits: { create: emits, update: emits, remove: emits },
	}),
	...nestedCrud({
		noun: "LeadProduct",
		plural: "LeadProducts",
		parent,
		segment: "products",
		group,
		item: RecordProduct,
		create: RecordProductCreate,
		update: RecordProductUpdate,
		emits: { create: emits, update: emits, remove: emits },
	}),
	...links({
		noun: "LeadContact",
		plural: "LeadContacts",
		parent,
		segment: "contacts",
		group,
		what: "contact",
		member: "contact_uuid",
		item: LeadContact,
		emits,
	}),
	getLeadQuote: defineRead({
		group,
		path: quote.path,
		params: RecordParams,
		summary: "Get the quote of a lead, or null",
		response: Quote.nullable(),
	}),
	setLeadQuote: defineWrite({
		...quote,
		method: "PUT",
		summary: "Set the whole quote of a lead",
		body: QuotePut,
		response: Quote,
		exact: true,
	}),
	deleteLeadQuote: defineWrite({
		...quote,
		method: "DELETE",
		summary: "Delete the quote of a lead",
		response: Success,
	}),
	getLeadDistributor: defineRead({
		group,
		path: distributor.path,
		params: RecordParams,
		summary: "Get the distributor of a lead, or null",
		response: PartnershipRef.nullable(),
	}),
	setLeadDistributor: defineWrite({
		...distributor,
		method: "PUT",
		summary: "Set the distributor of a lead",
		body: z.object({ distributor_uuid: Uuid }),
		response: PartnershipRef,
	}),
	removeLeadDistributor: defineWrite({
		...distributor,
		method: "DELETE",
		summary: "Remove the distributor from a lead",
		response: Success,
	}),
};
