import * as z from "zod";
import { links, partnerLinks, tagLinks, userLinks } from "../table/links.ts";
import { linkFilters } from "../table/list-query.ts";
import { definePlain } from "../table/plain.ts";
import { LabelRef, UserRef } from "../table/references.ts";
import { calendarDate, requiredLine, text } from "../table/text.ts";
import { Uuid } from "../table/uuid.ts";

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

const onCards = {
	parent: "/v1/cards/{uuid}",
	group: "Cards",
	emits: [],
} as const;

export const cardLinkOperations = {
	...links({
		...onCards,
		...userLinks,
		segment: "assignees",
		noun: "CardAssignee",
		plural: "CardAssignees",
	}),
	...links({
		...onCards,
		...partnerLinks,
		noun: "CardPartner",
		plural: "CardPartners",
	}),
	...links({ ...onCards, ...tagLinks, noun: "CardTag", plural: "CardTags" }),
};
