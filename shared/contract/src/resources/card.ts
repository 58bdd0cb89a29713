import { z } from "zod";
import { links } from "../table/links.ts";
import { definePlain } from "../table/plain.ts";
import { LabelRef, PartnershipRef, UserRef } from "../table/references.ts";
import { calendarDate, requiredLine, text } from "../table/text.ts";
import { Uuid } from "../table/uuid.ts";
import { linkFilters } from "./link-filters.ts";

const CardStatus = z.enum(["to_do", "in_progress", "in_review", "done"]);

/** Cards of a board, with their assignees and partners. */
export const cards = definePlain({
	noun: "Card",
	plural: "Cards",
	path: "/v1/cards",
	name: "title",
	removal: "delete",
	mandatory: { title: requiredLine() },
	optional: {
		description: text(10_000).nullable(),
		status: CardStatus,
		due_date: calendarDate().nullable(),
		asset_uuid: Uuid.nullable(),
	},
	defaults: { status: "to_do" },
	shown: { tags: z.array(LabelRef), assigned_users: z.array(UserRef) },
	filters: { ...linkFilters, status: CardStatus.optional() },
});

const on = {
	parent: "/v1/cards/{uuid}",
	group: "Cards",
	emits: [],
} as const;
const user = { what: "user", member: "user_uuid", item: UserRef } as const;
const tag = { what: "tag", member: "tag_uuid", item: LabelRef } as const;
const partner = {
	what: "partner",
	member: "partnership_uuid",
	item: PartnershipRef,
} as const;

export const cardLinkOperations = {
	...links({
		...{ ...on, ...user, noun: "CardAssignee", plural: "CardAssignees" },
		segment: "assignees",
	}),
	...links({
		...{ ...on, ...partner, noun: "CardPartner", plural: "CardPartners" },
		segment: "partners",
	}),
	...links({
		...{ ...on, ...tag, noun: "CardTag", plural: "CardTags" },
		segment: "tags",
	}),
};
