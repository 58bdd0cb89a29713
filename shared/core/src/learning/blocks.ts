import type { Block, BlockCreate, BlockUpdate } from "@partnerwire/contract";
import { asc, eq } from "drizzle-orm";
import type { RowOf } from "../db/insert-row.ts";
import { createParts, type PartParents } from "../resource/create-parts.ts";
import { nextSeries } from "../resource/next-series.ts";
import type { References } from "../resource/references.ts";
import { toTimes } from "../values/times.ts";

const toBlock = ({ row }: { row: RowOf<"block"> }): Block => ({
	uuid: row.uuid,
	type: row.type,
	series: row.series,
	title: row.title,
	content: row.content,
	asset_uuid: row.assetUuid,
	...toTimes(row),
});

async function toColumns(body: BlockUpdate, references: References) {
	await references.find("asset", "asset_uuid", body.asset_uuid);
	references.refuseInvalid();
	return {
		type: body.type,
		series: body.series,
		title: body.title,
		content: body.content,
		assetUuid: body.asset_uuid,
	};
}

/** The blocks of one kind of records, in their order. */
export const createBlocks = (
	parents: PartParents & { readonly entity: string },
	column: "resourceUuid" | "roomUuid",
) =>
	createParts({
		table: "block",
		entity: `${parents.entity}_block`,
		noun: "block",
		parents,
		column,
		select: ({ query, tables: { block } }) =>
			query.select({ row: block }).from(block).$dynamic(),
		order: ({ tables: { block } }) => asc(block.series),
		toShown: toBlock,
		toCreated: async (body: BlockCreate, references, { uuid, context }) => {
			const columns = await toColumns(body, references);
			const isSibling = (block: typeof context.db.tables.block) =>
				eq(block[column], uuid);
			const series =
				body.series ?? (await nextSeries(context, "block", isSibling));
			return { ...columns, type: body.type, series };
		},
		toChanged: toColumns,
	});
