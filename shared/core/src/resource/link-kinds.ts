import type {
	FolderType,
	LabelRef,
	LeadContact,
	PartnershipRef,
	RoomPartnership,
	TagType,
	UserRef,
} from "@partnerwire/contract";
import type { RowOf } from "../db/insert-row.ts";
import type { Referable } from "./references.ts";
import { toLabelRef, toPartnerRef, toUserRef } from "./to-ref.ts";

/** The columns of links. Each is in at least one of the link tables. */
type LinkColumn = Exclude<
	keyof (RowOf<"recordLink"> & RowOf<"contentLink">),
	"id" | "recordUuid" | "createdAt"
>;

/** One kind of record that others link to, such as tags. */
export interface LinkKind<
	Member extends string,
	Name extends Referable,
	Item extends { uuid: string },
> {
	readonly noun: string;
	/** The name of the list, in the record and in the audit log. */
	readonly list: string;
	/** The body's member that names the record to link. */
	readonly member: Member;
	/** The table of the linked records, and the column of a link that refers to it. */
	readonly table: Name;
	readonly column: LinkColumn;
	/** There can be thousands: the record does not show them, and an audit entry names only the one that changed. */
	readonly areMany?: true;
	isFit?(row: RowOf<Name>): boolean;
	toItem(row: RowOf<Name>): Item;
}

/** Tags of one type. */
export const tagsOf = (
	type: TagType,
): LinkKind<"tag_uuid", "tag", LabelRef> => ({
	noun: "tag",
	list: "tags",
	member: "tag_uuid",
	table: "tag",
	column: "tagId",
	isFit: (row) => row.type === type,
	toItem: toLabelRef,
});

/** Users who are assigned to a record. */
export const assignedUsers: LinkKind<"user_uuid", "user", UserRef> = {
	noun: "user",
	list: "assigned_users",
	member: "user_uuid",
	table: "user",
	column: "userUuid",
	toItem: toUserRef,
};

/** Contacts of partners that are on a record. */
export const contactsOf: LinkKind<"contact_uuid", "contact", LeadContact> = {
	noun: "contact",
	list: "contacts",
	member: "contact_uuid",
	table: "contact",
	column: "contactUuid",
	toItem: ({ uuid, email }) => ({ uuid, email }),
};

export const categories: LinkKind<"category_uuid", "category", LabelRef> = {
	noun: "category",
	list: "categories",
	member: "category_uuid",
	table: "category",
	column: "categoryId",
	toItem: toLabelRef,
};

export const tiers: LinkKind<"tier_uuid", "tier", LabelRef> = {
	noun: "tier",
	list: "tiers",
	member: "tier_uuid",
	table: "tier",
	column: "tierId",
	toItem: toLabelRef,
};

/** Stages of partners. */
export const partnerStages: LinkKind<"stage_uuid", "stage", LabelRef> = {
	noun: "stage",
	list: "stages",
	member: "stage_uuid",
	table: "stage",
	column: "stageId",
	isFit: ({ entity }) => entity === "partner",
	toItem: toLabelRef,
};

/** Folders of one type. */
export const foldersOf = (
	type: FolderType,
): LinkKind<"folder_uuid", "folder", LabelRef> => ({
	noun: "folder",
	list: "folders",
	member: "folder_uuid",
	table: "folder",
	column: "folderUuid",
	isFit: (row) => row.type === type,
	toItem: toLabelRef,
});

export const resourcesOf: LinkKind<"resource_uuid", "resource", LabelRef> = {
	noun: "resource",
	list: "resources",
	member: "resource_uuid",
	table: "resource",
	column: "resourceUuid",
	toItem: toLabelRef,
};

export const partnerships: LinkKind<
	"partnership_uuid",
	"partner",
	RoomPartnership
> = {
	noun: "partnership",
	list: "partnerships",
	member: "partnership_uuid",
	table: "partner",
	column: "partnershipUuid",
	areMany: true,
	toItem: ({ uuid, name }) => ({ uuid, name }),
};

/** The partners of a campaign or a card. */
export const manyPartners: LinkKind<
	"partnership_uuid",
	"partner",
	PartnershipRef
> = {
	...partnerships,
	noun: "partner",
	list: "partners",
	toItem: toPartnerRef,
};

/** The contacts whom a campaign is for. */
export const audience: typeof contactsOf = { ...contactsOf, areMany: true };
