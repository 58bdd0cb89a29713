import { notFound } from "@partnerwire/contract";
import { asc, desc, eq, getTableColumns, type SQL } from "drizzle-orm";
import type { Emission, Resource } from "../context/change.ts";
import type { Context } from "../context/context.ts";
import type { Db } from "../db/db.ts";
import type { Outcome } from "../execute/handlers.ts";
import { createReferences, type References } from "./references.ts";
import { createResource } from "./resource.ts";
import type { One, Part, ResourceKind, ViewedRow } from "./resource-kind.ts";

/** The parents of parts; `createRecords` makes it. */
export interface PartParents {
	read(uuid: string, context: Context): Promise<unknown>;
	readLive(uuid: string, context: Context): Promise<unknown>;
	touch(uuid: string, context: Context): Promise<Emission | undefined>;
}

/** One kind of resource under a partner, a lead or a deal, such as a deal's payments. */
export interface PartKind<
	Viewed extends ViewedRow,
	Shown extends Resource,
	Body,
> extends Omit<ResourceKind<Viewed, Shown>, "showAll" | "toEmission"> {
	readonly parents: PartParents;
	/** The column that refers to the parent. */
	readonly column: keyof Viewed["row"] & `${string}Uuid`;
	/** The column to sort by, before age. */
	readonly order?: (db: Db) => SQL;
	toShown(viewed: Viewed): Shown;
	/** Converts a body to columns. Throws a 400 for invalid references. A new part has no `viewed`. */
	toColumns(
		body: Body,
		references: References,
		write: {
			context: Context;
			parentUuid: string;
			viewed: Viewed | undefined;
		},
	): Promise<Partial<Viewed["row"]>> | Partial<Viewed["row"]>;
	/** The event of a change; when left out, each change is an update of the parent. */
	toEmission?(
		action: "created" | "updated" | "deleted",
		shown: Shown,
		row: Viewed["row"],
	): Emission | undefined;
}

/** The four handlers of a kind of parts: a bare list, create, update, delete. */
export function createParts<
	Viewed extends ViewedRow,
	Shown extends Resource,
	Body,
>(kind: PartKind<Viewed, Shown, Body>) {
	const { parents, column } = kind;
	const parentOf = (row: Viewed["row"]) => row[column] as string;

	const resource = createResource<Viewed, Shown>({
		...kind,
		showAll: (viewed) => viewed.map(kind.toShown),
		toEmission: (
			action: "created" | "updated" | "deleted",
			shown,
			row,
			context,
		) =>
			kind.toEmission
				? kind.toEmission(action, shown, row)
				: parents.touch(parentOf(row), context),
	});

	/** Reads a part of a parent that can be changed. A part of another record is 404, like one that does not exist. */
	async function readForChange(
		{ params: { uuid, subUuid } }: Part,
		context: Context,
	): Promise<Viewed> {
		await parents.readLive(uuid, context);
		const viewed = await resource.read(subUuid, context);
		if (parentOf(viewed.row) !== uuid) throw notFound(kind.noun);
		return viewed;
	}

	/** The parts of one parent: in their order if they have one, then the oldest first; else the newest first. */
	function findOf(parentUuid: string, db: Db): PromiseLike<Viewed[]> {
		const table = resource.tableOf(db);
		const { createdAt, uuid } = table;
		const byAge = [kind.order ? asc(createdAt) : desc(createdAt), asc(uuid)];
		const parent = getTableColumns(table)[column as "companyUuid"];
		return kind
			.select(db)
			.where(eq(parent, parentUuid))
			.orderBy(...(kind.order ? [kind.order(db)] : []), ...byAge);
	}

	/** Adds a part to a parent that was checked. */
	async function add(
		parentUuid: string,
		body: Body,
		context: Context,
	): Promise<Outcome<Shown>> {
		const write = { context, parentUuid, viewed: undefined };
		const references = createReferences(context);
		const columns = await kind.toColumns(body, references, write);
		return resource.create({ ...columns, [column]: parentUuid }, context);
	}

	/** Changes a part of a parent that was checked. */
	async function change(
		viewed: Viewed,
		body: Body,
		context: Context,
	): Promise<Outcome<Shown>> {
		const write = { context, parentUuid: parentOf(viewed.row), viewed };
		const references = createReferences(context, viewed.row);
		const columns = await kind.toColumns(body, references, write);
		return resource.change(viewed, columns, context);
	}

	return {
		...resource,
		findOf,
		add,
		change,

		handlers: {
			list: async ({ params }: One, context: Context): Promise<Shown[]> => {
				await parents.read(params.uuid, context);
				const parts = await findOf(params.uuid, context.db);
				return parts.map(kind.toShown);
			},

			create: async (
				{ params, body }: One & { body: Body },
				context: Context,
			) => {
				await parents.readLive(params.uuid, context);
				return add(params.uuid, body, context);
			},

			update: async (input: Part & { body: Body }, context: Context) =>
				change(await readForChange(input, context), input.body, context),

			remove: async (input: Part, context: Context) =>
				resource.remove(await readForChange(input, context), context),
		},
	};
}
