import type { EventId } from "@partnerwire/wire";
import * as z from "zod";
import { keyed } from "./inferred.ts";
import { defineRead, defineWrite } from "./operation.ts";
import { RecordParams, SubRecordParams, Success } from "./params.ts";
import { LabelRef, PartnershipRef, UserRef } from "./references.ts";
import { Uuid } from "./uuid.ts";

/**
 * The three operations of a pure link from a record to others: a bare list, add and remove. `add` answers 200 with the
 * linked record, also when it was linked before. `{subUuid}` is the linked record (docs/decisions.md#linking).
 *
 * @example
 * links({ noun: "LeadTag", plural: "LeadTags", member: "tag_uuid", … }); // { listLeadTags, addLeadTag, removeLeadTag }
 */
export function links<
	const Noun extends string,
	const Plural extends string,
	const Member extends string,
	Item extends z.ZodType,
>(spec: {
	readonly noun: Noun;
	readonly plural: Plural;
	/** The linked record, in words: `tag`. */
	readonly what: string;
	/** The body's member with the uuid of the record to link: `tag_uuid`. */
	readonly member: Member;
	readonly item: Item;
	/** The parent's path: `/v1/leads/{uuid}`. */
	readonly parent: `/${string}/{uuid}`;
	readonly segment: string;
	readonly group: string;
	/** Left out if the operations emit nothing. */
	readonly emits?: readonly EventId[];
}) {
	const { group, item, emits = [], what, parent } = spec;
	const path = `${parent}/${spec.segment}` as const;
	const record = group.toLowerCase().replace(/s$/, "");
	const list = defineRead({
		group,
		path,
		summary: `List the ${spec.segment} of a ${record}`,
		params: RecordParams,
		response: z.array(item),
	});
	const add = defineWrite({
		method: "POST",
		group,
		path,
		summary: `Add a ${what} to a ${record}`,
		params: RecordParams,
		body: z.object(keyed(spec.member, Uuid)),
		response: item,
		emits,
	});
	const remove = defineWrite({
		method: "DELETE",
		group,
		path: `${path}/{subUuid}`,
		summary: `Remove a ${what} from a ${record}`,
		params: SubRecordParams,
		response: Success,
		emits,
	});
	return {
		...keyed(`list${spec.plural}`, list),
		...keyed(`add${spec.noun}`, add),
		...keyed(`remove${spec.noun}`, remove),
	};
}

/* Links that several kinds of records have. Each is a part of the argument of links(). */
export const tagLinks = {
	segment: "tags",
	what: "tag",
	member: "tag_uuid",
	item: LabelRef,
} as const;

export const userLinks = {
	segment: "users",
	what: "user",
	member: "user_uuid",
	item: UserRef,
} as const;

export const stageLinks = {
	segment: "stages",
	what: "stage",
	member: "stage_uuid",
	item: LabelRef,
} as const;

export const categoryLinks = {
	segment: "categories",
	what: "category",
	member: "category_uuid",
	item: LabelRef,
} as const;

export const tierLinks = {
	segment: "tiers",
	what: "tier",
	member: "tier_uuid",
	item: LabelRef,
} as const;

export const folderLinks = {
	segment: "folders",
	what: "folder",
	member: "folder_uuid",
	item: LabelRef,
} as const;

export const partnerLinks = {
	segment: "partners",
	what: "partner",
	member: "partnership_uuid",
	item: PartnershipRef,
} as const;
