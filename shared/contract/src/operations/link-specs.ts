import { LabelRef, UserRef } from "../table/references.ts";

/* Links that several kinds of records have. Each is a part of the argument of links(). */
export const tags = {
	segment: "tags",
	what: "tag",
	member: "tag_uuid",
	item: LabelRef,
} as const;

export const users = {
	segment: "users",
	what: "user",
	member: "user_uuid",
	item: UserRef,
} as const;

export const stages = {
	segment: "stages",
	what: "stage",
	member: "stage_uuid",
	item: LabelRef,
} as const;

export const categories = {
	segment: "categories",
	what: "category",
	member: "category_uuid",
	item: LabelRef,
} as const;

export const tiers = {
	segment: "tiers",
	what: "tier",
	member: "tier_uuid",
	item: LabelRef,
} as const;

export const folders = {
	segment: "folders",
	what: "folder",
	member: "folder_uuid",
	item: LabelRef,
} as const;
