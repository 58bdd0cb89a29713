import type { LabelRef, Lead, UserRef } from "@partnerwire/contract";
import {
	type AnyColumn,
	eq,
	exists,
	inArray,
	type SQL,
	sql,
} from "drizzle-orm";
import type { Db } from "../db/db.ts";
import { defineQuery } from "../db/prepared.ts";
import { toLabelRef, toUserRef } from "./to-ref.ts";

/** The links of a partner, a lead or a deal. */
export interface RecordLinks {
	readonly tags: LabelRef[];
	readonly assigned_users: UserRef[];
	readonly contacts: Lead["contacts"];
}

/** Loads the links of several records. The answer is a function from a record's uuid to its links. */
export type LoadAttached<Attached> = (
	db: Db,
	uuids: readonly string[],
) => Promise<(uuid: string) => Attached>;

/** Whether a record has links. Reading a record without links runs no query for them. */
export const hasLinks = (
	{ query, tables: { recordLink } }: Db,
	recordUuid: AnyColumn,
): SQL<unknown> =>
	exists(
		query
			.select({ one: sql`1` })
			.from(recordLink)
			.where(eq(recordLink.recordUuid, recordUuid)),
	);

const selectLinks = ({
	query,
	tables: { recordLink, tag, user, contact },
}: Db) =>
	query
		.select({
			recordUuid: recordLink.recordUuid,
			tag: toLabelRef(tag),
			user: toUserRef(user),
			contact: { uuid: contact.uuid, email: contact.email },
		})
		.from(recordLink)
		.leftJoin(tag, eq(tag.id, recordLink.tagId))
		.leftJoin(user, eq(user.uuid, recordLink.userUuid))
		.leftJoin(contact, eq(contact.uuid, recordLink.contactUuid))
		.orderBy(recordLink.id)
		.$dynamic();

const linksOfOne = defineQuery("links_of_record", (db) =>
	selectLinks(db).where(
		eq(db.tables.recordLink.recordUuid, sql.placeholder("uuid")),
	),
);

const noLinks = (): RecordLinks => ({
	tags: [],
	assigned_users: [],
	contacts: [],
});

/** Loads the links of records in one query: a prepared one for one record, none for no records. */
export const loadLinks: LoadAttached<RecordLinks> = async (db, uuids) => {
	const found = new Map<string, RecordLinks>();
	const [uuid] = uuids;
	if (uuid) {
		const rows = await (uuids.length === 1
			? linksOfOne(db, { uuid })
			: selectLinks(db).where(
					inArray(db.tables.recordLink.recordUuid, [...uuids]),
				));
		for (const { recordUuid, tag, user, contact } of rows) {
			const links = found.get(recordUuid) ?? noLinks();
			found.set(recordUuid, links);
			if (tag) links.tags.push(tag);
			if (user) links.assigned_users.push(user);
			if (contact) links.contacts.push(contact);
		}
	}
	return (recordUuid) => found.get(recordUuid) ?? noLinks();
};
