import {
	ApiError,
	type Contact,
	type ContactUpdate,
	notFound,
	type PartnerContactCreate,
	type Success,
} from "@partnerwire/contract";
import { and, asc, desc, eq, ne, sql } from "drizzle-orm";
import type { Change } from "../context/change.ts";
import type { Context } from "../context/context.ts";
import type { Db } from "../db/db.ts";
import { insertRow, type RowOf } from "../db/insert-row.ts";
import { defineQuery } from "../db/prepared.ts";
import type { Outcome } from "../execute/handlers.ts";
import { toChangedColumns } from "../resource/patch.ts";
import { foldCase } from "../values/fold-case.ts";
import { toTimes } from "../values/times.ts";
import { partners } from "./partners.ts";

/** Selects contacts with the partner that they belong to. */
export const selectContacts = ({ query, tables: { contact, partner } }: Db) =>
	query
		.select({
			row: contact,
			partnership: {
				uuid: partner.uuid,
				name: partner.name,
				partner_type: partner.partnerType,
			},
		})
		.from(contact)
		.innerJoin(partner, eq(partner.uuid, contact.partnershipUuid))
		.$dynamic();

export type ContactRow = Awaited<ReturnType<typeof selectContacts>>[number];

const findContact = defineQuery("contact_by_uuid", (db) =>
	selectContacts(db).where(
		and(
			eq(db.tables.contact.uuid, sql.placeholder("uuid")),
			eq(db.tables.contact.companyUuid, sql.placeholder("companyUuid")),
		),
	),
);

export const toContact = ({ row, partnership }: ContactRow): Contact => ({
	uuid: row.uuid,
	first_name: row.firstName,
	last_name: row.lastName,
	email: row.email,
	phone_number: row.phoneNumber,
	partnership,
	...toTimes(row),
});

/** Reads a contact of the company. Under a partner, a contact of another partner is a 404. */
export async function readContact(
	uuid: string,
	{ db, caller }: Context,
	partnershipUuid?: string,
): Promise<ContactRow> {
	const { companyUuid } = caller;
	const [found] = await findContact(db, { uuid, companyUuid });
	const isElsewhere =
		partnershipUuid !== undefined &&
		found?.row.partnershipUuid !== partnershipUuid;
	if (!found || isElsewhere) throw notFound("contact");
	return found;
}

export async function listContactsOf(
	partnershipUuid: string,
	context: Context,
): Promise<Contact[]> {
	await partners.read(partnershipUuid, context);
	const { contact } = context.db.tables;
	const rows = await selectContacts(context.db)
		.where(eq(contact.partnershipUuid, partnershipUuid))
		.orderBy(desc(contact.createdAt), asc(contact.uuid));
	return rows.map(toContact);
}

/** Throws a 409 for an e-mail that another contact of the partner has (docs/decisions.md#contacts). */
async function refuseTaken(
	email: string,
	partnershipUuid: string,
	ownUuid: string,
	{ query, tables: { contact } }: Db,
): Promise<void> {
	const taken = await query
		.select({ uuid: contact.uuid })
		.from(contact)
		.where(
			and(
				eq(contact.partnershipUuid, partnershipUuid),
				eq(contact.emailKey, foldCase(email)),
				ne(contact.uuid, ownUuid),
			),
		);
	if (taken.length === 0) return;
	throw new ApiError(
		"conflict",
		`the partner already has a contact with the e-mail ${email}`,
	);
}

const toColumns = (body: ContactUpdate): Partial<RowOf<"contact">> => ({
	firstName: body.first_name,
	lastName: body.last_name,
	email: body.email,
	emailKey: body.email === undefined ? undefined : foldCase(body.email),
	phoneNumber: body.phone_number,
});

const toChange = (
	before: Contact | null,
	after: Contact | null,
	contact: Contact,
): Change => {
	const action = !before ? "created" : after ? "updated" : "deleted";
	return {
		entity: "partnership_contact",
		uuid: contact.uuid,
		action,
		before,
		after,
		// Deleting a contact emits no event (docs/decisions.md#which-operation-emits-what).
		...(action !== "deleted" && {
			emits: {
				eventId: `partner_contact_${action}`,
				recordUuid: contact.partnership.uuid,
				entity: contact,
			},
		}),
	};
};

export async function createContact(
	partnershipUuid: string,
	body: PartnerContactCreate,
	context: Context,
): Promise<Outcome<Contact>> {
	const { db, caller, nowMs } = context;
	const uuid = context.newUuid();
	await refuseTaken(body.email, partnershipUuid, uuid, db);
	await insertRow(db, "contact", {
		...toColumns(body),
		email: body.email,
		emailKey: foldCase(body.email),
		uuid,
		partnershipUuid,
		companyUuid: caller.companyUuid,
		createdAt: nowMs,
		updatedAt: nowMs,
	});
	const created = toContact(await readContact(uuid, context));
	return { result: created, changes: [toChange(null, created, created)] };
}

export async function updateContact(
	{ row, ...found }: ContactRow,
	body: ContactUpdate,
	context: Context,
): Promise<Outcome<Contact>> {
	const { db, nowMs } = context;
	await partners.readLive(row.partnershipUuid, context);
	const before = toContact({ row, ...found });
	const changed = toChangedColumns(row, toColumns(body));
	if (!changed) return { result: before, changes: [] };
	if (changed.email)
		await refuseTaken(changed.email, row.partnershipUuid, row.uuid, db);
	const { contact } = db.tables;
	await db.query
		.update(contact)
		.set({ ...changed, updatedAt: nowMs })
		.where(eq(contact.uuid, row.uuid));
	const after = toContact(await readContact(row.uuid, context));
	return { result: after, changes: [toChange(before, after, after)] };
}

/** Deletes a contact, and removes it from its leads. */
export async function deleteContact(
	found: ContactRow,
	context: Context,
): Promise<Outcome<Success>> {
	const { uuid, partnershipUuid } = found.row;
	await partners.readLive(partnershipUuid, context);
	const { query, tables } = context.db;
	const { contact, recordLink } = tables;
	await query.delete(recordLink).where(eq(recordLink.contactUuid, uuid));
	await query.delete(contact).where(eq(contact.uuid, uuid));
	const before = toContact(found);
	return {
		result: { success: true },
		changes: [toChange(before, null, before)],
	};
}
