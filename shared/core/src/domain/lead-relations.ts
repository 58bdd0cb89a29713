import { type LeadContact, notFound } from "@partnerwire/contract";
import { eq } from "drizzle-orm";
import type { SomeHandlers } from "../execute/handlers.ts";
import { createLinks, type LinkKind } from "./create-links.ts";
import { leads } from "./leads.ts";
import { createReferences } from "./references.ts";

/** The contacts of partners who have to do with a lead. */
const contactsOfLead: LinkKind<
	{ contacts: LeadContact[] },
	"contact_uuid",
	LeadContact
> = {
	noun: "contact",
	member: "contact_uuid",
	pick: ({ contacts }) => contacts,
	toLink: async (given, references) => {
		const contact = await references.find("contact", "contact_uuid", given);
		references.refuseInvalid();
		const { uuid, email } = contact;
		return { item: { uuid, email }, columns: { contactUuid: uuid } };
	},
	isTo: ({ tables: { recordLink } }, uuid) => eq(recordLink.contactUuid, uuid),
};
const contacts = createLinks(leads, contactsOfLead);

/** The contacts and the distributor of leads. */
export const leadRelationHandlers: SomeHandlers<
	| "listLeadContacts"
	| "addLeadContact"
	| "removeLeadContact"
	| "getLeadDistributor"
	| "setLeadDistributor"
	| "removeLeadDistributor"
	| "restoreLead"
> = {
	listLeadContacts: contacts.list,
	addLeadContact: contacts.add,
	removeLeadContact: contacts.remove,

	getLeadDistributor: async ({ params }, context) =>
		(await leads.read(params.uuid, context)).distributor,

	setLeadDistributor: async ({ params, body }, context) => {
		const lead = await leads.readLive(params.uuid, context);
		const references = createReferences(context);
		const distributor = await references.find(
			"partner",
			"distributor_uuid",
			body.distributor_uuid,
			(partner) => partner.partnerType === "distributor",
		);
		references.refuseInvalid();
		const { uuid, name, partnerType } = distributor;
		const columns = { distributorUuid: uuid };
		const { changes } = await leads.change(lead, columns, context);
		return { result: { uuid, name, partner_type: partnerType }, changes };
	},

	removeLeadDistributor: async ({ params }, context) => {
		const lead = await leads.readLive(params.uuid, context);
		if (!lead.distributor) throw notFound("distributor");
		const columns = { distributorUuid: null };
		const { changes } = await leads.change(lead, columns, context);
		return { result: { success: true }, changes };
	},

	restoreLead: leads.handlers.restore,
};
