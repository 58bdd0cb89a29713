import type { DealUpdate } from "@partnerwire/contract";
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
import { createRecords, toSubmitted } from "../resource/create-records.ts";
import { listPage } from "../resource/list-page.ts";
import { loadLinks } from "../resource/record-links.ts";
import {
	createReferences,
	type References,
	toId,
} from "../resource/references.ts";
import {
	type DealRow,
	findDeal,
	selectDeals,
	toDeal,
	toDealPayload,
} from "./deal-view.ts";

/** Deals: how the resource engine reads, writes and shows them. */
export const deals = createRecords({
	table: "deal",
	entity: "lead_deal",
	noun: "deal",
	find: findDeal,
	attach: loadLinks,
	toShown: toDeal,
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

export const dealHandlers = {
	listDeals: ({ query }, { db, caller }) => {
		const { deal, partner, stage } = db.tables;
		return listPage(db, query, {
			table: deal,
			query: selectDeals(db),
			scope: {
				companyUuid: caller.companyUuid,
				archived: { column: deal.archivedAt, only: query.archived },
			},
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
			conditions: [],
			sortable: { label: deal.label },
			toItems: (rows) => deals.showAll(rows, { db }),
		});
	},

	getDeal: deals.handlers.get,

	createDeal: async ({ body }, context) => {
		const references = createReferences(context);
		const lead = await references.find("lead", "lead_uuid", body.lead_uuid);
		const columns = await toColumns(body, references);
		const fromLead = {
			label: body.label ?? defaultLabel(lead),
			leadUuid: lead.uuid,
			partnershipUuid: lead.partnershipUuid,
		};
		return deals.create(
			{ ...columns, ...fromLead },
			context,
			toSubmitted(body),
		);
	},

	updateDeal: deals.handlers.update,
	archiveDeal: deals.handlers.archive,
} satisfies Partial<Handlers>;
