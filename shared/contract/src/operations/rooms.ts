import { Block, BlockCreate, BlockUpdate } from "../resources/block.ts";
import {
	Room,
	RoomCreate,
	RoomPartnership,
	RoomUpdate,
	roomFilters,
	SecureFile,
	SecureFileCreate,
	SecureFileUpdate,
} from "../resources/content/room.ts";
import { crud, nestedCrud } from "../table/crud.ts";
import { links } from "../table/links.ts";
import { categories, stages, tags, tiers } from "./link-specs.ts";

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
		...categories,
		noun: "RoomCategory",
		plural: "RoomCategories",
	}),
	...links({ ...onRooms, ...stages, noun: "RoomStage", plural: "RoomStages" }),
	...links({ ...onRooms, ...tags, noun: "RoomTag", plural: "RoomTags" }),
	...links({ ...onRooms, ...tiers, noun: "RoomTier", plural: "RoomTiers" }),
};
