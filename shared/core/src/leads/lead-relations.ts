import { notFound } from "@partnerwire/contract";
import type { Handlers } from "../execute/handlers.ts";
import { createLinks } from "../resource/create-links.ts";
import { contactsOf } from "../resource/link-kinds.ts";
import { createReferences } from "../resource/references.ts";
import { toPartnerRef } from "../resource/to-ref.ts";
import { leads } from "./leads.ts";

const contacts = createLinks(leads, contactsOf);

/** The operations on the contacts and the distributor of leads. */
export const leadRelationHandlers = {
	listLeadContacts: contacts.list,
	addLeadContact: contacts.add,
	removeLeadContact: contacts.remove,

	getLeadDistributor: async ({ params }, context) =>
		(await leads.read(params.uuid, context)).distributor,

	setLeadDistributor: async ({ params, body }, context) => {
		const lead = await leads.readLive(params.uuid, context);
		const references = createReferences(context, lead.row);
		const distributor = await references.find(
			"partner",
			"distributor_uuid",
			body.distributor_uuid,
			(partner) => partner.partnerType === "distributor",
		);
		references.refuseInvalid();
		const columns = { distributorUuid: distributor.uuid };
		const { changes } = await leads.change(lead, columns, context);
		return { result: toPartnerRef(distributor), changes };
	},

	removeLeadDistributor: async ({ params }, context) => {
		const lead = await leads.readLive(params.uuid, context);
		if (!lead.distributor) throw notFound("distributor");
		const columns = { distributorUuid: null };
		const { changes } = await leads.change(lead, columns, context);
		return { result: { success: true }, changes };
	},

	restoreLead: leads.handlers.restore,
} satisfies Partial<Handlers>;
