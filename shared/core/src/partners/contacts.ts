// Contacts of partners: the operations on those of all partners and of one partner.
import {
	ApiError,
	type Contact,
	type ContactUpdate,
} from "@partnerwire/contract";
import { and, eq, ne } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import type { Db } from "../db/db.ts";
import type { RowOf } from "../db/insert-row.ts";
import type { Handlers } from "../execute/handlers.ts";
import { whenEqual } from "../resource/conditions.ts";
import { createParts } from "../resource/create-parts.ts";
import { createReferences } from "../resource/references.ts";
import { toPartnerRef } from "../resource/to-ref.ts";
import { foldCase } from "../values/fold-case.ts";
import { toTimes } from "../values/times.ts";
import { partners } from "./partners.ts";

type ContactRow = RowOf<"contact">;

/** Selects contacts with the partner that they belong to. */
const selectContacts = ({ query, tables: { contact, partner } }: Db) =>
	query
		.select({ row: contact, partnership: toPartnerRef(partner) })
		.from(contact)
		.innerJoin(partner, eq(partner.uuid, contact.partnershipUuid))
		.$dynamic();

/** Throws a 409 for an e-mail that another contact of the partner has (docs/decisions.md#contacts). */
async function refuseTaken(
	{ uuid, partnershipUuid, email }: Partial<ContactRow>,
	{ query, tables: { contact } }: Db,
): Promise<void> {
	const taken = await query
		.select({ uuid: contact.uuid })
		.from(contact)
		.where(
			and(
				eq(contact.partnershipUuid, partnershipUuid as string),
				eq(contact.emailKey, foldCase(email as string)),
				ne(contact.uuid, uuid as string),
			),
		);
	if (taken.length === 0) return;
	throw new ApiError(
		"conflict",
		`the partner already has a contact with the e-mail ${email}`,
	);
}

const contacts = createParts({
	table: "contact",
	entity: "partnership_contact",
	noun: "contact",
	parents: partners,
	column: "partnershipUuid",
	isCounted: true,
	select: selectContacts,
	toShown: ({
		row,
		partnership,
	}: {
		row: ContactRow;
		partnership: Contact["partnership"];
	}): Contact => ({
		uuid: row.uuid,
		first_name: row.firstName,
		last_name: row.lastName,
		email: row.email,
		phone_number: row.phoneNumber,
		partnership,
		...toTimes(row),
	}),
	toColumns: (body: ContactUpdate) => ({
		firstName: body.first_name,
		lastName: body.last_name,
		email: body.email,
		emailKey: body.email === undefined ? undefined : foldCase(body.email),
		phoneNumber: body.phone_number,
	}),
	async refuse(columns, viewed, { db }) {
		if (columns.email) await refuseTaken({ ...viewed?.row, ...columns }, db);
	},
	/** Removes the contact from its leads. */
	async removing({ uuid }, { db: { query, tables } }) {
		const { recordLink } = tables;
		await query.delete(recordLink).where(eq(recordLink.contactUuid, uuid));
	},
	toEmission(action, contact, { partnershipUuid: recordUuid }) {
		// Deleting a contact emits no event (docs/decisions.md#which-operation-emits-what).
		if (action === "deleted") return undefined;
		const eventId = `partner_contact_${action}` as const;
		return { eventId, recordUuid, entity: contact };
	},
});

/** A contact whose partner can be changed. */
async function readForChange(uuid: string, context: Context) {
	const viewed = await contacts.read(uuid, context);
	await partners.readLive(viewed.row.partnershipUuid, context);
	return viewed;
}

export const contactHandlers = {
	listContacts: ({ query }, context) => {
		const { contact } = context.db.tables;
		return contacts.list(query, context, {
			search: {
				index: {
					table: "contact",
					uuid: contact.uuid,
					columns: [contact.email, contact.firstName, contact.lastName],
				},
				text: query.search,
			},
			selective: [whenEqual(contact.partnershipUuid, query.partnership_uuid)],
		});
	},

	getContact: async ({ params }, context) =>
		contacts.show(await contacts.read(params.uuid, context), context),

	createContact: async ({ body }, context) => {
		const references = createReferences(context);
		const partner = await references.find(
			"partner",
			"partnership_uuid",
			body.partnership_uuid,
		);
		references.refuseInvalid();
		return contacts.add(partner.uuid, body, context);
	},

	updateContact: async ({ params, body }, context) =>
		contacts.change(await readForChange(params.uuid, context), body, context),

	deleteContact: async ({ params }, context) =>
		contacts.remove(await readForChange(params.uuid, context), context),

	listPartnerContacts: contacts.handlers.list,
	createPartnerContact: contacts.handlers.create,
	updatePartnerContact: contacts.handlers.update,
	deletePartnerContact: contacts.handlers.remove,
} satisfies Partial<Handlers>;
