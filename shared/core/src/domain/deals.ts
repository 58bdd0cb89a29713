import type { DealUpdate } from "@partnerwire/contract";
import { eq, inArray } from "drizzle-orm";
import { insertRow, type NewRowOf, type RowOf } from "../db/insert-row.ts";
import type { SomeHandlers } from "../execute/handlers.ts";
import {
	whenArchived,
	whenContains,
	whenEqual,
	whenReferenced,
} from "./conditions.ts";
import {
	type DealRow,
	findDeal,
	selectDeals,
	toDeal,
	toDealPayload,
} from "./deal-view.ts";
import { listPage } from "./list-page.ts";
import {
	archiveRecord,
	changeRecord,
	readLiveRecord,
	readRecord,
	toCreated,
} from "./record-kind.ts";
import { createReferences, toId } from "./references.ts";

export const deals = {
	table: "deal",
	entity: "lead_deal",
	noun: "deal",
	find: findDeal,
	toShown: toDeal,
	toPayload: toDealPayload,
	events: {
		created: "deal_created",
		updated: "deal_updated",
		archived: "deal_deleted",
	},
} as const;

/** The lead's company name (decisions §4), else what a person would recognise it by. */
const defaultLabel = ({
	companyName,
	firstName,
	lastName,
	email,
}: RowOf<"lead">): string =>
	[companyName, [firstName, lastName].filter(Boolean).join(" "), email].find(
		Boolean,
	) ?? "Untitled deal";

type References = ReturnType<typeof createReferences>;

async function toColumns(
	body: DealUpdate,
	references: References,
): Promise<Partial<DealRow["row"]>> {
	const currency = await references.find(
		"currency",
		"currency_uuid",
		body.currency_uuid,
	);
	const stage = await references.findStage(
		"stage_uuid",
		body.stage_uuid,
		"deal",
	);
	const paymentStage = await references.findStage(
		"payment_stage_uuid",
		body.payment_stage_uuid,
		"deal",
	);
	references.refuseInvalid();
	return {
		label: body.label,
		dealValue: body.deal_value,
		currencyId: toId(currency),
		stageId: toId(stage),
		paymentStageId: toId(paymentStage),
		expirationDate: body.expiration_date,
	};
}

export const dealHandlers: SomeHandlers<
	"listDeals" | "getDeal" | "createDeal" | "updateDeal" | "archiveDeal"
> = {
	listDeals: ({ query }, { db, caller }) => {
		const { deal, partner, stage } = db.tables;
		return listPage(db, query, {
			table: deal,
			query: selectDeals(db),
			conditions: [
				eq(deal.companyUuid, caller.companyUuid),
				whenArchived(deal.archivedAt, query.archived),
				whenEqual(deal.leadUuid, query.lead_uuid),
				whenEqual(deal.partnershipUuid, query.partnership_uuid),
				whenReferenced(db, deal.stageId, stage, query.stage_uuids),
				query.partner_type &&
					inArray(
						deal.partnershipUuid,
						db.query
							.select({ uuid: partner.uuid })
							.from(partner)
							.where(eq(partner.partnerType, query.partner_type)),
					),
				whenContains(db, [deal.label], query.search),
			],
			sortable: { label: deal.label },
			toItem: toDeal,
		});
	},

	getDeal: async ({ params }, context) =>
		toDeal(await readRecord(deals, params.uuid, context)),

	createDeal: async ({ body }, context) => {
		const references = createReferences(context);
		const lead = await references.find("lead", "lead_uuid", body.lead_uuid);
		const columns = await toColumns(body, references);
		const uuid = context.newUuid();
		await insertRow(context.db, "deal", {
			...columns,
			label: body.label ?? defaultLabel(lead),
			uuid,
			leadUuid: lead.uuid,
			partnershipUuid: lead.partnershipUuid,
			companyUuid: context.caller.companyUuid,
			createdAt: context.nowMs,
			updatedAt: context.nowMs,
		} as NewRowOf<"deal">);
		return toCreated(deals, uuid, context);
	},

	updateDeal: async ({ params, body }, context) => {
		const columns = await toColumns(body, createReferences(context));
		return changeRecord(
			deals,
			await readLiveRecord(deals, params.uuid, context),
			columns,
			context,
		);
	},

	archiveDeal: ({ params }, context) =>
		archiveRecord(deals, params.uuid, context),
};
