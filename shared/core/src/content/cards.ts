import {
	cards as definition,
	type LabelRef,
	type UserRef,
} from "@partnerwire/contract";
import { eq } from "drizzle-orm";
import type { Handlers } from "../execute/handlers.ts";
import { whenAssigned, whenTagged } from "../resource/conditions.ts";
import { createLinks } from "../resource/create-links.ts";
import { createPlain } from "../resource/create-plain.ts";
import { assignedUsers, manyPartners, tagsOf } from "../resource/link-kinds.ts";
import { loadLinks } from "../resource/record-links.ts";

type Linked = { tags: LabelRef[]; assigned_users: UserRef[] };

const cards = createPlain<typeof definition, Linked>(definition, {
	references: { asset_uuid: "asset" },
	attach: loadLinks,
	toConditions: (db, column, query) => [
		whenTagged(db, column, query.tag_uuids as string[] | undefined),
		whenAssigned(db, column, query.assigned_user_uuid as string | undefined),
	],
	async removing({ uuid }, { db }) {
		const { recordLink, contentLink } = db.tables;
		for (const table of [recordLink, contentLink])
			await db.query.delete(table).where(eq(table.recordUuid, uuid));
	},
});

const assignees = createLinks(cards, assignedUsers);
const tags = createLinks(cards, tagsOf("card"));
const partners = createLinks({ ...cards, links: "contentLink" }, manyPartners);

/** Cards with their assignees, partners and tags. */
export const cardHandlers = {
	...cards.handlers,

	listCardAssignees: assignees.list,
	addCardAssignee: assignees.add,
	removeCardAssignee: assignees.remove,

	listCardPartners: partners.list,
	addCardPartner: partners.add,
	removeCardPartner: partners.remove,

	listCardTags: tags.list,
	addCardTag: tags.add,
	removeCardTag: tags.remove,
} satisfies Partial<Handlers>;
