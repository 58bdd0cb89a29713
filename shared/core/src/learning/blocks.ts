import type { Block, BlockUpdate } from "@partnerwire/contract";
import { asc, eq } from "drizzle-orm";
import type { RowOf } from "../db/insert-row.ts";
import { createParts, type PartParents } from "../resource/create-parts.ts";
import { nextSeries } from "../resource/next-series.ts";
import type { References } from "../resource/references.ts";
import { selectRows } from "../resource/resource-kind.ts";
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
		select: selectRows("block"),
		order: ({ tables: { block } }) => asc(block.series),
		toShown: toBlock,
		toColumns,
		complete: async ({ series, ...row }, context) => ({
			series:
				series ??
				(await nextSeries(context, "block", (block) =>
					eq(block[column], row[column] as string),
				)),
		}),
	}).handlers;
