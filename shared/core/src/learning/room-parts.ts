import type { SecureFile, SecureFileUpdate } from "@partnerwire/contract";
import type { RowOf } from "../db/insert-row.ts";
import type { Handlers } from "../execute/handlers.ts";
import { createLinks } from "../resource/create-links.ts";
import { createParts } from "../resource/create-parts.ts";
import {
	categories,
	partnerStages,
	partnerships,
	tagsOf,
	tiers,
} from "../resource/link-kinds.ts";
import type { References } from "../resource/references.ts";
import { selectRows } from "../resource/resource-kind.ts";
import { toTimes } from "../values/times.ts";
import { createBlocks } from "./blocks.ts";
import { rooms } from "./rooms.ts";

const toSecureFile = ({ row }: { row: RowOf<"secureFile"> }): SecureFile => ({
	uuid: row.uuid,
	label: row.label,
	asset_uuid: row.assetUuid,
	...toTimes(row),
});

async function toColumns(body: SecureFileUpdate, references: References) {
	await references.find("asset", "asset_uuid", body.asset_uuid);
	references.refuseInvalid();
	return { label: body.label, assetUuid: body.asset_uuid };
}

const secureFiles = createParts({
	table: "secureFile",
	entity: "room_secure_file",
	noun: "secure file",
	parents: rooms,
	column: "roomUuid",
	select: selectRows("secureFile"),
	toShown: toSecureFile,
	toColumns,
}).handlers;

const blocks = createBlocks(rooms, "roomUuid");
const partnershipLinks = createLinks(rooms, partnerships);
const categoryLinks = createLinks(rooms, categories);
const stageLinks = createLinks(rooms, partnerStages);
/** Rooms hold content for partners, so their tags are those of resources. */
const tagLinks = createLinks(rooms, tagsOf("resource"));
const tierLinks = createLinks(rooms, tiers);

/** The operations on the blocks and files of rooms, and on the partners that rooms are for. */
export const roomPartHandlers = {
	listRoomBlocks: blocks.list,
	createRoomBlock: blocks.create,
	updateRoomBlock: blocks.update,
	deleteRoomBlock: blocks.remove,

	listRoomSecureFiles: secureFiles.list,
	createRoomSecureFile: secureFiles.create,
	updateRoomSecureFile: secureFiles.update,
	deleteRoomSecureFile: secureFiles.remove,

	listRoomPartnerships: partnershipLinks.list,
	addRoomPartnership: partnershipLinks.add,
	removeRoomPartnership: partnershipLinks.remove,
	listRoomCategories: categoryLinks.list,
	addRoomCategory: categoryLinks.add,
	removeRoomCategory: categoryLinks.remove,
	listRoomStages: stageLinks.list,
	addRoomStage: stageLinks.add,
	removeRoomStage: stageLinks.remove,
	listRoomTags: tagLinks.list,
	addRoomTag: tagLinks.add,
	removeRoomTag: tagLinks.remove,
	listRoomTiers: tierLinks.list,
	addRoomTier: tierLinks.add,
	removeRoomTier: tierLinks.remove,
} satisfies Partial<Handlers>;
