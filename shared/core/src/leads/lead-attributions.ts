import type {
	LeadAttribution,
	LeadAttributionUpdate,
} from "@partnerwire/contract";
import { asc, eq } from "drizzle-orm";
import type { Db } from "../db/db.ts";
import type { Handlers } from "../execute/handlers.ts";
import { createParts } from "../resource/create-parts.ts";
import { nextSeries } from "../resource/next-series.ts";
import { toLabelRef } from "../resource/to-ref.ts";
import { toIso } from "../values/times.ts";
import { leads } from "./leads.ts";

const selectLeadAttributions = ({
	query,
	tables: { leadAttribution, attribution },
}: Db) =>
	query
		.select({
			row: leadAttribution,
			attribution: toLabelRef(attribution),
		})
		.from(leadAttribution)
		.innerJoin(attribution, eq(attribution.id, leadAttribution.attributionId))
		.$dynamic();

type AttributionRow = Awaited<
	ReturnType<typeof selectLeadAttributions>
>[number];

const toShown = ({ row, attribution }: AttributionRow): LeadAttribution => ({
	uuid: row.uuid,
	attribution,
	series: row.series,
	attributed_date: row.attributedDate,
	created_at: toIso(row.createdAt),
});

/** The attributions of a lead, ordered by `series`. */
const attributions = createParts({
	table: "leadAttribution",
	entity: "lead_attribution",
	noun: "attribution",
	parents: leads,
	column: "leadUuid",
	select: selectLeadAttributions,
	order: ({ tables: { leadAttribution } }) => asc(leadAttribution.series),
	toShown,
	toColumns: async (body: LeadAttributionUpdate, references) => {
		const attribution = await references.find(
			"attribution",
			"attribution_uuid",
			body.attribution_uuid,
		);
		references.refuseInvalid();
		return {
			attributionId: attribution?.id,
			series: body.series,
			attributedDate: body.attributed_date,
		};
	},
	complete: async ({ leadUuid, series }, context) => ({
		series:
			series ??
			(await nextSeries(context, "leadAttribution", (table) =>
				eq(table.leadUuid, leadUuid as string),
			)),
	}),
}).handlers;

export const leadAttributionHandlers = {
	listLeadAttributions: attributions.list,
	createLeadAttribution: attributions.create,
	updateLeadAttribution: attributions.update,
	deleteLeadAttribution: attributions.remove,
} satisfies Partial<Handlers>;
