import { z } from "zod";
import type { EventId } from "./event-ids.ts";
import { defineRead, defineWrite, type Operation } from "./operation.ts";
import { RecordParams, SubRecordParams, Success } from "./params.ts";
import { Uuid } from "./uuid.ts";

type Nothing = z.ZodObject<Record<never, never>>;

/**
 * The three operations of a pure link from a record to others: a bare list, add (200 with what was linked, also when
 * it was linked already), and remove; `{subUuid}` is the linked record (decisions §1).
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
	/** What is linked, in words: `tag`. */
	readonly what: string;
	/** The body's member that names the record to link: `tag_uuid`. */
	readonly member: Member;
	readonly item: Item;
	/** The parent's path: `/v1/leads/{uuid}`. */
	readonly parent: `/${string}/{uuid}`;
	readonly segment: string;
	readonly group: string;
	/** Left out where nothing is emitted. */
	readonly emits?: readonly EventId[];
}) {
	const { group, item, emits = [], what, parent } = spec;
	const path = `${parent}/${spec.segment}` as const;
	const record = group.toLowerCase().replace(/s$/, "");
	return {
		[`list${spec.plural}`]: defineRead({
			group,
			path,
			summary: `List the ${spec.segment} of a ${record}`,
			params: RecordParams,
			response: z.array(item),
		}),
		[`add${spec.noun}`]: defineWrite({
			method: "POST",
			group,
			path,
			summary: `Add a ${what} to a ${record}`,
			params: RecordParams,
			body: z.object({ [spec.member]: Uuid }),
			response: item,
			emits,
		}),
		[`remove${spec.noun}`]: defineWrite({
			method: "DELETE",
			group,
			path: `${path}/{subUuid}`,
			summary: `Remove a ${what} from a ${record}`,
			params: SubRecordParams,
			response: Success,
			emits,
		}),
	} as unknown as {
		readonly [Key in `list${Plural}`]: Operation<
			"read",
			typeof RecordParams,
			Nothing,
			null,
			z.ZodArray<Item>
		>;
	} & {
		readonly [Key in `add${Noun}`]: Operation<
			"write",
			typeof RecordParams,
			Nothing,
			z.ZodObject<{ [Key in Member]: typeof Uuid }>,
			Item
		>;
	} & {
		readonly [Key in `remove${Noun}`]: Operation<
			"write",
			typeof SubRecordParams,
			Nothing,
			null,
			typeof Success
		>;
	};
}
