import type {
	LeadAttribution,
	LeadAttributionCreate,
	LeadAttributionUpdate,
} from "@partnerwire/contract";
import { asc, desc, eq } from "drizzle-orm";
import type { Db } from "../db/db.ts";
import type { Context } from "../execute/context.ts";
import type { SomeHandlers } from "../execute/handlers.ts";
import { createParts } from "./create-parts.ts";
import { leads } from "./leads.ts";
import { toIso } from "./times.ts";

const selectLeadAttributions = ({
	query,
	tables: { leadAttribution, attribution },
}: Db) =>
	query
		.select({
			row: leadAttribution,
			attribution: { uuid: attribution.uuid, label: attribution.label },
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

/** The place after the lead's last attribution. */
async function nextSeries(leadUuid: string, { db }: Context): Promise<number> {
	const { leadAttribution } = db.tables;
	const [last] = await db.query
		.select({ series: leadAttribution.series })
		.from(leadAttribution)
		.where(eq(leadAttribution.leadUuid, leadUuid))
		.orderBy(desc(leadAttribution.series))
		.limit(1);
	return last ? last.series + 1 : 0;
}

const attributions = createParts({
	table: "leadAttribution",
	entity: "lead_attribution",
	noun: "attribution",
	parents: leads,
	column: "leadUuid",
	select: selectLeadAttributions,
	order: ({ tables: { leadAttribution } }) => asc(leadAttribution.series),
	toShown,
	toCreated: async (body: LeadAttributionCreate, references, parent) => {
		const attribution = await references.find(
			"attribution",
			"attribution_uuid",
			body.attribution_uuid,
		);
		references.refuseInvalid();
		return {
			attributionId: attribution.id,
			series: body.series ?? (await nextSeries(parent.uuid, parent.context)),
			attributedDate: body.attributed_date ?? null,
		};
	},
	toChanged: async (body: LeadAttributionUpdate, references) => {
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
});

export const leadAttributionHandlers: SomeHandlers<
	| "listLeadAttributions"
	| "createLeadAttribution"
	| "updateLeadAttribution"
	| "deleteLeadAttribution"
> = {
	listLeadAttributions: attributions.list,
	createLeadAttribution: attributions.create,
	updateLeadAttribution: attributions.update,
	deleteLeadAttribution: attributions.remove,
};
