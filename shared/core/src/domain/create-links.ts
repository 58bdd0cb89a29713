import {
	type LabelRef,
	notFound,
	type Success,
	type UserRef,
} from "@partnerwire/contract";
import { and, eq, inArray, type SQL } from "drizzle-orm";
import type { Db } from "../db/db.ts";
import { insertRow, type NewRowOf } from "../db/insert-row.ts";
import type { Context } from "../execute/context.ts";
import type { Outcome } from "../execute/handlers.ts";
import type { One } from "./create-records.ts";
import { createReferences, type References } from "./references.ts";

/** The path of one linked record. */
export interface Linked {
	params: { uuid: string; subUuid: string };
}

/** What links need of the records that they hang on: `createRecords` makes it. */
interface Parents<Viewed, Shown> {
	read(uuid: string, context: Context): Promise<Viewed>;
	readLive(uuid: string, context: Context): Promise<Viewed>;
	show(viewed: Viewed, context: Context): Promise<Shown>;
}

interface LinkedParents<Viewed, Shown> extends Parents<Viewed, Shown> {
	changeAttached(
		viewed: Viewed,
		context: Context,
		write: () => Promise<unknown>,
	): Promise<Outcome<Shown>>;
}

/** One kind of records that others are linked to. */
export interface LinkKind<Shown, Member extends string, Item> {
	readonly noun: string;
	/** The body's member that names the record to link. */
	readonly member: Member;
	/** What is linked, as the record itself shows it. */
	pick(shown: Shown): Item[];
	/** The column of a link to the record that a body names; an invalid reference is refused. */
	toLink(
		uuid: string,
		references: References,
	): Promise<{ item: Item; columns: Partial<NewRowOf<"recordLink">> }>;
	/** The links to a record. */
	isTo(db: Db, uuid: string): SQL;
}

/** Tags of one kind of record. */
export const tagsOf = (
	type: "partner" | "lead" | "deal" | "card",
): LinkKind<{ tags: LabelRef[] }, "tag_uuid", LabelRef> => ({
	noun: "tag",
	member: "tag_uuid",
	pick: ({ tags }) => tags,
	toLink: async (given, references) => {
		const isFit = (row: { type: string }) => row.type === type;
		const tag = await references.find("tag", "tag_uuid", given, isFit);
		references.refuseInvalid();
		const { id: tagId, uuid, label } = tag;
		return { item: { uuid, label }, columns: { tagId } };
	},
	isTo: ({ query, tables: { tag, recordLink } }, uuid) =>
		inArray(
			recordLink.tagId,
			query.select({ id: tag.id }).from(tag).where(eq(tag.uuid, uuid)),
		),
});

/** Users who are assigned to a record. */
export const assignedUsers: LinkKind<
	{ assigned_users: UserRef[] },
	"user_uuid",
	UserRef
> = {
	noun: "user",
	member: "user_uuid",
	pick: ({ assigned_users }) => assigned_users,
	toLink: async (given, references) => {
		const user = await references.find("user", "user_uuid", given);
		references.refuseInvalid();
		const { uuid, firstName, lastName, email } = user;
		return {
			item: { uuid, first_name: firstName, last_name: lastName, email },
			columns: { userUuid: uuid },
		};
	},
	isTo: ({ tables: { recordLink } }, uuid) => eq(recordLink.userUuid, uuid),
};

/** The handlers of one kind of links: listing, adding (a second time is no change) and removing. */
export function createLinks<
	Viewed extends { row: { uuid: string } },
	Shown,
	Member extends string,
	Item extends { uuid: string },
>(parents: LinkedParents<Viewed, Shown>, kind: LinkKind<Shown, Member, Item>) {
	return {
		list: async ({ params }: One, context: Context): Promise<Item[]> => {
			const viewed = await parents.read(params.uuid, context);
			return kind.pick(await parents.show(viewed, context));
		},

		add: async (
			{ params, body }: One & { body: Record<Member, string> },
			context: Context,
		): Promise<Outcome<Item>> => {
			const viewed = await parents.readLive(params.uuid, context);
			const { item, columns } = await kind.toLink(
				body[kind.member],
				createReferences(context),
			);
			const linked = kind.pick(await parents.show(viewed, context));
			if (linked.some(({ uuid }) => uuid === item.uuid))
				return { result: item, changes: [] };
			const row = { recordUuid: params.uuid, createdAt: context.nowMs };
			const { changes } = await parents.changeAttached(viewed, context, () =>
				insertRow(context.db, "recordLink", { ...row, ...columns }),
			);
			return { result: item, changes };
		},

		remove: async (
			{ params }: Linked,
			context: Context,
		): Promise<Outcome<Success>> => {
			const viewed = await parents.readLive(params.uuid, context);
			const linked = kind.pick(await parents.show(viewed, context));
			if (!linked.some(({ uuid }) => uuid === params.subUuid))
				throw notFound(kind.noun);
			const { query, tables } = context.db;
			const { recordLink } = tables;
			const { changes } = await parents.changeAttached(
				viewed,
				context,
				async () => {
					await query
						.delete(recordLink)
						.where(
							and(
								eq(recordLink.recordUuid, params.uuid),
								kind.isTo(context.db, params.subUuid),
							),
						);
				},
			);
			return { result: { success: true }, changes };
		},
	};
}

interface StagedParents<Viewed, Shown> extends Parents<Viewed, Shown> {
	change(
		viewed: Viewed,
		columns: { stageId: number | null },
		context: Context,
	): Promise<Outcome<Shown>>;
}

/** The stage of a record as a list of at most one: adding a stage takes the place of the one before. */
export function createStageLinks<
	Viewed,
	Shown extends { stage: LabelRef | null },
>(parents: StagedParents<Viewed, Shown>, entity: "partner" | "deal") {
	return {
		list: async ({ params }: One, context: Context): Promise<LabelRef[]> => {
			const viewed = await parents.read(params.uuid, context);
			const { stage } = await parents.show(viewed, context);
			return stage ? [stage] : [];
		},

		add: async (
			{ params, body }: One & { body: { stage_uuid: string } },
			context: Context,
		): Promise<Outcome<LabelRef>> => {
			const viewed = await parents.readLive(params.uuid, context);
			const references = createReferences(context);
			const stage = await references.findStage(
				"stage_uuid",
				body.stage_uuid,
				entity,
			);
			references.refuseInvalid();
			const columns = { stageId: stage.id };
			const { changes } = await parents.change(viewed, columns, context);
			return { result: { uuid: stage.uuid, label: stage.label }, changes };
		},

		remove: async (
			{ params }: Linked,
			context: Context,
		): Promise<Outcome<Success>> => {
			const viewed = await parents.readLive(params.uuid, context);
			const { stage } = await parents.show(viewed, context);
			if (stage?.uuid !== params.subUuid) throw notFound("stage");
			const { changes } = await parents.change(
				viewed,
				{ stageId: null },
				context,
			);
			return { result: { success: true }, changes };
		},
	};
}
