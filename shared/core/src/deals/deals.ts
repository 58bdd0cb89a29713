import type { DealCreate, DealUpdate } from "@partnerwire/contract";
import { and, eq, inArray } from "drizzle-orm";
import { followDeal } from "../commissions/follow-deal.ts";
import type { RowOf } from "../db/insert-row.ts";
import type { Handlers } from "../execute/handlers.ts";
import { partnerTypeOf } from "../partners/partner-type-of.ts";
import {
	whenAssigned,
	whenEqual,
	whenReferenced,
	whenTagged,
} from "../resource/conditions.ts";
import { createRecords } from "../resource/create-records.ts";
import { loadLinks } from "../resource/record-links.ts";
import { type References, toId } from "../resource/references.ts";
import {
	type DealRow,
	selectDeals,
	toDeal,
	toDealPayload,
	toWrittenDeal,
} from "./deal-view.ts";

/** Deals: how the resource engine reads, writes and shows them. */
export const deals = createRecords({
	table: "deal",
	entity: "lead_deal",
	noun: "deal",
	isCounted: true,
	select: selectDeals,
	attach: loadLinks,
	toShown: toDeal,
	toWritten: toWrittenDeal,
	fields: {
		category: "lead_deal",
		partnerTypeOf: ({ partnerType }) => partnerType,
		partnerTypeWith: async ({ partnershipUuid }, before, context) =>
			before?.partnerType ?? partnerTypeOf(partnershipUuid, context),
	},
	webhook: {
		events: {
			created: "deal_created",
			updated: "deal_updated",
			archived: "deal_deleted",
		},
		toPayload: toDealPayload,
	},
	toColumns,
	follow: followDeal,
});

/** The lead's company name, else the person's name, else the e-mail (docs/decisions.md#deal-label). */
const defaultLabel = ({
	companyName,
	firstName,
	lastName,
	email,
}: RowOf<"lead">): string =>
	[companyName, [firstName, lastName].filter(Boolean).join(" "), email].find(
		Boolean,
	) ?? "Untitled deal";

/** A new deal takes its partner, and a label if it has none, from its lead. */
async function toColumns(
	body: DealUpdate & Partial<DealCreate>,
	references: References,
): Promise<Partial<DealRow["row"]>> {
	const lead = await references.find("lead", "lead_uuid", body.lead_uuid);
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
		label: lead ? (body.label ?? defaultLabel(lead)) : body.label,
		leadUuid: lead?.uuid,
		partnershipUuid: lead?.partnershipUuid,
		dealValue: body.deal_value,
		currencyId: toId(currency),
		stageId: toId(stage),
		paymentStageId: toId(paymentStage),
		expirationDate: body.expiration_date,
	};
}

export const dealHandlers = {
	listDeals: ({ query }, context) => {
		const { db, caller } = context;
		const { deal, partner, stage } = db.tables;
		return deals.list(query, context, {
			scattered: [
				whenTagged(db, deal.uuid, query.tag_uuids),
				whenAssigned(db, deal.uuid, query.assigned_user_uuid),
			],
			search: {
				index: { table: "deal", uuid: deal.uuid, columns: [deal.label] },
				text: query.search,
			},
			selective: [
				whenEqual(deal.leadUuid, query.lead_uuid),
				whenEqual(deal.partnershipUuid, query.partnership_uuid),
				whenReferenced(db, deal.stageId, stage, query.stage_uuids),
				query.partner_type &&
					inArray(
						deal.partnershipUuid,
						db.query
							.select({ uuid: partner.uuid })
							.from(partner)
							.where(
								and(
									eq(partner.companyUuid, caller.companyUuid),
									eq(partner.partnerType, query.partner_type),
								),
							),
					),
			],
			sortable: { label: deal.label },
		});
	},

	getDeal: deals.handlers.get,
	createDeal: deals.handlers.create,
	updateDeal: deals.handlers.update,
	archiveDeal: deals.handlers.archive,
} satisfies Partial<Handlers>;
