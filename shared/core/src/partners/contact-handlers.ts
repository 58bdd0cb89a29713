import type { Handlers } from "../execute/handlers.ts";
import { whenEqual } from "../resource/conditions.ts";
import { listPage } from "../resource/list-page.ts";
import { createReferences } from "../resource/references.ts";
import {
	createContact,
	deleteContact,
	listContactsOf,
	readContact,
	selectContacts,
	toContact,
	updateContact,
} from "./contacts.ts";
import { partners } from "./partners.ts";

/** The operations on contacts, of all partners and of one partner. */
export const contactHandlers = {
	listContacts: ({ query }, { db, caller }) => {
		const { contact } = db.tables;
		return listPage(db, query, {
			table: contact,
			query: selectContacts(db),
			scope: { companyUuid: caller.companyUuid },
			search: {
				index: {
					table: "contact",
					uuid: contact.uuid,
					columns: [contact.email, contact.firstName, contact.lastName],
				},
				text: query.search,
			},
			selective: [whenEqual(contact.partnershipUuid, query.partnership_uuid)],
			conditions: [],
			toItems: (rows) => rows.map(toContact),
		});
	},

	getContact: async ({ params }, context) =>
		toContact(await readContact(params.uuid, context)),

	createContact: async ({ body }, context) => {
		const references = createReferences(context);
		const partner = await references.find(
			"partner",
			"partnership_uuid",
			body.partnership_uuid,
		);
		references.refuseInvalid();
		return createContact(partner.uuid, body, context);
	},

	updateContact: async ({ params, body }, context) =>
		updateContact(await readContact(params.uuid, context), body, context),

	deleteContact: async ({ params }, context) =>
		deleteContact(await readContact(params.uuid, context), context),

	listPartnerContacts: ({ params }, context) =>
		listContactsOf(params.uuid, context),

	createPartnerContact: async ({ params, body }, context) => {
		await partners.readLive(params.uuid, context);
		return createContact(params.uuid, body, context);
	},

	updatePartnerContact: async ({ params, body }, context) => {
		await partners.readLive(params.uuid, context);
		const found = await readContact(params.subUuid, context, params.uuid);
		return updateContact(found, body, context);
	},

	deletePartnerContact: async ({ params }, context) => {
		await partners.readLive(params.uuid, context);
		const found = await readContact(params.subUuid, context, params.uuid);
		return deleteContact(found, context);
	},
} satisfies Partial<Handlers>;
