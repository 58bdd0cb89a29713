import { type LabelRef, notFound, type Success } from "@partnerwire/contract";
import { and, eq } from "drizzle-orm";
import type { Change, Emission } from "../context/change.ts";
import type { Context } from "../context/context.ts";
import type { Db } from "../db/db.ts";
import { insertRow, type RowOf } from "../db/insert-row.ts";
import type { Tables } from "../db/tables.ts";
import type { Outcome } from "../execute/handlers.ts";
import type { LinkKind } from "./link-kinds.ts";
import { createReferences, type Referable } from "./references.ts";
import type { One, Part } from "./resource-kind.ts";

/** The operations on linked records that links call; `createRecords` makes it. */
interface Parents<Viewed> {
	read(uuid: string, context: Context): Promise<Viewed>;
	readLive(uuid: string, context: Context): Promise<Viewed>;
}

export type LinkTable = "recordLink" | "contentLink";

interface LinkedParents extends Parents<unknown> {
	readonly entity: string;
	/** The table that holds their links. */
	readonly links: LinkTable;
	touch(uuid: string, context: Context): Promise<Emission | undefined>;
}

/** Links refer by the integer key of tables that have one. */
const toKey = (row: object) =>
	"id" in row ? row.id : (row as { uuid: string }).uuid;

/** The handlers of one kind of links: list, add and remove. Adding a link a second time is no change. */
export function createLinks<
	Member extends string,
	Name extends Referable,
	Item extends { uuid: string },
>(parents: LinkedParents, kind: LinkKind<Member, Name, Item>) {
	/** The table of the links, and the column of this kind. */
	const linksOf = ({ tables }: Db) => {
		const links = tables[parents.links] as Tables["contentLink"];
		return { links, column: links[kind.column as "tagId"] };
	};

	/** The records linked to a record, or one of them, each with its link, oldest first. */
	async function readLinked(
		recordUuid: string,
		{ db }: Context,
		linkedUuid?: string,
	) {
		const { links, column } = linksOf(db);
		// Each of these tables has its own key, which a type parameter cannot express.
		const table = db.tables[kind.table] as Tables["tag"];
		const rows = await db.query
			.select({ row: table, link: { id: links.id } })
			.from(links)
			.innerJoin(table, eq(toKey(table) as typeof table.id, column))
			.where(
				and(
					eq(links.recordUuid, recordUuid),
					linkedUuid === undefined ? undefined : eq(table.uuid, linkedUuid),
				),
			)
			.orderBy(links.id);
		return rows.map(({ row, link }) => ({
			item: kind.toItem(row as RowOf<Name>),
			linkId: link.id,
		}));
	}

	/** Loads what a change of one of a record's links needs. */
	const readForChange = (
		recordUuid: string,
		linkedUuid: string,
		context: Context,
	) => readLinked(recordUuid, context, kind.areMany ? linkedUuid : undefined);

	const toSide = (items: readonly Item[]) =>
		kind.areMany ? { [kind.noun]: items[0] ?? null } : { [kind.list]: items };

	async function toChange(
		uuid: string,
		before: readonly Item[],
		after: readonly Item[],
		context: Context,
	): Promise<Change> {
		return {
			entity: parents.entity,
			uuid,
			action: "updated",
			before: toSide(before),
			after: toSide(after),
			emits: await parents.touch(uuid, context),
		};
	}

	return {
		list: async ({ params }: One, context: Context): Promise<Item[]> => {
			await parents.read(params.uuid, context);
			const linked = await readLinked(params.uuid, context);
			return linked.map(({ item }) => item);
		},

		add: async (
			{ params, body }: One & { body: Record<Member, string> },
			context: Context,
		): Promise<Outcome<Item>> => {
			const { uuid } = params;
			await parents.readLive(uuid, context);
			const references = createReferences(context);
			const row = await references.find(
				kind.table,
				kind.member,
				body[kind.member],
				kind.isFit,
			);
			references.refuseInvalid();
			const item = kind.toItem(row);
			const linked = await readForChange(uuid, item.uuid, context);
			const before = linked.map(({ item }) => item);
			if (before.some(({ uuid }) => uuid === item.uuid))
				return { result: item, changes: [] };
			await insertRow(context.db, parents.links, {
				recordUuid: uuid,
				[kind.column]: toKey(row),
				createdAt: context.nowMs,
			});
			const after = [...before, item];
			const change = await toChange(uuid, before, after, context);
			return { result: item, changes: [change] };
		},

		remove: async (
			{ params }: Part,
			context: Context,
		): Promise<Outcome<Success>> => {
			const { uuid, subUuid } = params;
			await parents.readLive(uuid, context);
			const linked = await readForChange(uuid, subUuid, context);
			const gone = linked.find(({ item }) => item.uuid === subUuid);
			if (!gone) throw notFound(kind.noun);
			const { links } = linksOf(context.db);
			await context.db.query.delete(links).where(eq(links.id, gone.linkId));
			const before = linked.map(({ item }) => item);
			const after = before.filter((item) => item !== gone.item);
			const change = await toChange(uuid, before, after, context);
			return { result: { success: true }, changes: [change] };
		},
	};
}

interface StagedParents<Viewed, Shown> extends Parents<Viewed> {
	show(viewed: Viewed, context: Context): Promise<Shown>;
	change(
		viewed: Viewed,
		columns: { stageId: number | null },
		context: Context,
	): Promise<Outcome<Shown>>;
}

/** A record's stage as a list of at most one. Adding a stage replaces the one before. */
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
			{ params }: Part,
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
