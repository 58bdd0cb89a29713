import type { PartnerType, Stage } from "@partnerwire/contract";
import { and, asc, eq, max, or } from "drizzle-orm";
import { countCommissions, referenceTo } from "../commissions/uses.ts";
import type { Context } from "../context/context.ts";
import type { RowOf } from "../db/insert-row.ts";
import type { STAGE_ENTITIES } from "../db/tables/configuration.ts";
import type { Tables } from "../db/tables.ts";
import type { Handlers } from "../execute/handlers.ts";
import { whenEqual } from "../resource/conditions.ts";
import { createSettings } from "../resource/create-settings.ts";
import { toTimes } from "../values/times.ts";

type StageRow = RowOf<"stage">;

interface StageBody {
	label?: string | undefined;
	partner_type?: Stage["partner_type"] | undefined;
	series?: number | undefined;
	phase?: string | null | undefined;
}

const toStage = (row: StageRow): Stage => ({
	id: row.id,
	uuid: row.uuid,
	label: row.label,
	series: row.series,
	partner_type: row.partnerType,
	phase: row.phase,
	...toTimes(row),
});

/** A new stage comes last in its pipeline, unless the body has a `series`. */
async function toSeries(
	{ entity, partnerType, series }: Partial<StageRow>,
	{ db, caller }: Context,
) {
	if (series !== undefined) return { series };
	const { stage } = db.tables;
	const [last] = await db.query
		.select({ series: max(stage.series) })
		.from(stage)
		.where(
			and(
				eq(stage.companyUuid, caller.companyUuid),
				whenEqual(stage.entity, entity),
				whenEqual(stage.partnerType, partnerType ?? undefined),
			),
		);
	return { series: (last?.series ?? 0) + 1 };
}

/** Whether a deal has the stage, or has it as its payment stage. */
const isStaged = (deal: Tables["deal"], id: number) =>
	or(eq(deal.stageId, id), eq(deal.paymentStageId, id));
const selectStaged = (id: number, { db: { query, tables } }: Context) =>
	query
		.select({ uuid: tables.deal.uuid })
		.from(tables.deal)
		.where(isStaged(tables.deal, id));

function createStages(entity: (typeof STAGE_ENTITIES)[number]) {
	const stages = createSettings({
		table: "stage",
		entity: `${entity}_stage`,
		noun: `${entity} stage`,
		discriminator: { entity },
		toShown: toStage,
		toColumns: (body: StageBody) => ({
			label: body.label,
			partnerType: body.partner_type,
			series: body.series,
			phase: body.phase,
		}),
		complete: toSeries,
		uses: ({ partner, lead, deal, contentLink }, id) => [
			{ table: partner, where: eq(partner.stageId, id) },
			{ table: lead, where: eq(lead.stageId, id) },
			{ table: deal, where: isStaged(deal, id) },
			{ table: contentLink, where: eq(contentLink.stageId, id) },
		],
		countUses: ({ id }, context) =>
			countCommissions(
				referenceTo.stage(id),
				context,
				selectStaged(id, context),
			),
	});
	return {
		...stages.handlers,
		list: (
			{ query }: { query: { partner_type?: PartnerType | undefined } },
			context: Context,
		) => {
			const { stage } = context.db.tables;
			const where = whenEqual(stage.partnerType, query.partner_type);
			const order = [asc(stage.partnerType), asc(stage.series)];
			return stages.listAll(context, where, order);
		},
	};
}

const dealStages = createStages("deal");
const leadStages = createStages("lead");
const partnerStages = createStages("partner");

/** The operations on the stages of the three pipelines: leads, deals and partners. */
export const stageHandlers = {
	listDealStages: dealStages.list,
	getDealStage: dealStages.get,
	createDealStage: dealStages.create,
	updateDealStage: dealStages.update,
	deleteDealStage: dealStages.remove,
	listLeadStages: leadStages.list,
	getLeadStage: leadStages.get,
	createLeadStage: leadStages.create,
	updateLeadStage: leadStages.update,
	deleteLeadStage: leadStages.remove,
	listPartnerStages: partnerStages.list,
	getPartnerStage: partnerStages.get,
	createPartnerStage: partnerStages.create,
	updatePartnerStage: partnerStages.update,
	deletePartnerStage: partnerStages.remove,
} satisfies Partial<Handlers>;
