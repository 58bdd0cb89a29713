import * as z from "zod";
import { definePlain } from "../../table/plain.ts";
import { requiredLine } from "../../table/text.ts";
import { Uuid } from "../../table/uuid.ts";

/** The type of records in a folder. */
export const FolderType = z.enum(["resource", "certification"]);
export type FolderType = z.infer<typeof FolderType>;

/** Folders in folders (docs/decisions.md#folders): without cycles, and of the same type as their parent. */
export const folders = definePlain({
	noun: "Folder",
	plural: "Folders",
	path: "/v1/folders",
	name: "label",
	removal: "delete",
	mandatory: { label: requiredLine() },
	fixed: { type: FolderType },
	optional: { parent_uuid: Uuid.nullable() },
	filters: { type: FolderType.optional(), parent_uuid: Uuid.optional() },
});
