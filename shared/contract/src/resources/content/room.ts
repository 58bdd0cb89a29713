import * as z from "zod";
import { crud, nestedCrud } from "../../table/crud.ts";
import {
	categoryLinks,
	links,
	stageLinks,
	tagLinks,
	tierLinks,
} from "../../table/links.ts";
import { sortQuery } from "../../table/list-query.ts";
import { series } from "../../table/numbers.ts";
import { LabelRef, PartnerType } from "../../table/references.ts";
import { requiredLine, text, timestamp } from "../../table/text.ts";
import { Uuid } from "../../table/uuid.ts";
import {
	Block,
	BlockCreate,
	BlockUpdate,
	contentFilters,
	shownContent,
	writtenContent,
} from "./content.ts";

/* Rooms of the partner portal with their blocks, secure files and partners. */

/** Who sees a room (docs/decisions.md#rooms). */
export const RoomVisibility = z.enum(["all", "internal_only", "external_only"]);
export type RoomVisibility = z.infer<typeof RoomVisibility>;

/** A room of the partner portal; categories, stages, tags and tiers say which partners it is for. */
export const Room = z.object({
	...shownContent,
	room_type: z.string().nullable(),
	partner_type: PartnerType.nullable(),
	visibility: RoomVisibility,
	series: z.int(),
	categories: z.array(LabelRef),
	stages: z.array(LabelRef),
	tags: z.array(LabelRef),
	tiers: z.array(LabelRef),
});
export type Room = z.infer<typeof Room>;

const writable = {
	...writtenContent,
	room_type: requiredLine(64).nullable(),
	partner_type: PartnerType.nullable(),
	visibility: RoomVisibility,
	series: series(),
};

/** By default `visibility` is `all`, and `series` the place after the last room. */
export const RoomCreate = z
	.object(writable)
	.partial()
	.extend({ label: writable.label });
export type RoomCreate = z.infer<typeof RoomCreate>;

export const RoomUpdate = z.object(writable).partial();
export type RoomUpdate = z.infer<typeof RoomUpdate>;

const roomFilters = {
	...contentFilters,
	partner_type: PartnerType.optional(),
	visibility: RoomVisibility.optional(),
	sort: sortQuery("label", "-label", "series", "-series"),
};

/** A partner that a room is for: exactly the members of the contract (docs/contract.md#other-resources). */
export const RoomPartnership = z.object({
	uuid: z.string(),
	name: z.string(),
});
export type RoomPartnership = z.infer<typeof RoomPartnership>;

/** A file that only the people in the room get. */
export const SecureFile = z.object({
	uuid: z.string(),
	label: z.string().nullable(),
	asset_uuid: z.string(),
	created_at: timestamp(),
	updated_at: timestamp(),
});
export type SecureFile = z.infer<typeof SecureFile>;

const file = { label: text().nullable(), asset_uuid: Uuid };

export const SecureFileCreate = z
	.object(file)
	.partial()
	.extend({ asset_uuid: Uuid });
export type SecureFileCreate = z.infer<typeof SecureFileCreate>;

export const SecureFileUpdate = z.object(file).partial();
export type SecureFileUpdate = z.infer<typeof SecureFileUpdate>;

const onRooms = {
	parent: "/v1/rooms/{uuid}",
	group: "Rooms",
} as const;

/** The rooms of the partner portal, their content and their partners. */
export const roomOperations = {
	...crud({
		noun: "Room",
		plural: "Rooms",
		removal: "archive",
		path: "/v1/rooms",
		item: Room,
		create: RoomCreate,
		update: RoomUpdate,
		filters: roomFilters,
	}),
	...nestedCrud({
		...onRooms,
		noun: "RoomBlock",
		plural: "RoomBlocks",
		segment: "blocks",
		item: Block,
		create: BlockCreate,
		update: BlockUpdate,
	}),
	...nestedCrud({
		...onRooms,
		noun: "RoomSecureFile",
		plural: "RoomSecureFiles",
		segment: "secure-files",
		item: SecureFile,
		create: SecureFileCreate,
		update: SecureFileUpdate,
	}),
	...links({
		...onRooms,
		segment: "partnerships",
		what: "partnership",
		member: "partnership_uuid",
		item: RoomPartnership,
		noun: "RoomPartnership",
		plural: "RoomPartnerships",
	}),
	...links({
		...onRooms,
		...categoryLinks,
		noun: "RoomCategory",
		plural: "RoomCategories",
	}),
	...links({
		...onRooms,
		...stageLinks,
		noun: "RoomStage",
		plural: "RoomStages",
	}),
	...links({ ...onRooms, ...tagLinks, noun: "RoomTag", plural: "RoomTags" }),
	...links({ ...onRooms, ...tierLinks, noun: "RoomTier", plural: "RoomTiers" }),
};
