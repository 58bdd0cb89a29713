import type { Deal } from "@partnerwire/contract";
import type { DealPayload } from "@partnerwire/wire";
import { eq } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import { hasValues } from "../custom-fields/engine/stored-values.ts";
import { alias } from "../db/alias.ts";
import type { Db } from "../db/db.ts";
import { hasLinks, type RecordLinks } from "../resource/record-links.ts";
import { showReference } from "../resource/references.ts";
import { toCurrencyRef, toLabelRef } from "../resource/to-ref.ts";
import { toIsoOrNull, toTimes } from "../values/times.ts";

/** Selects deals with the records that they refer to. */
export const selectDeals = (db: Db) => {
	const { query, tables } = db;
	const { deal, lead, partner, stage, currency } = tables;
	const paymentStage = alias(stage, "payment_stage");
	return query
		.select({
			row: deal,
			hasFields: hasValues(db, deal.uuid),
			hasLinks: hasLinks(db, deal.uuid),
			lead: {
				uuid: lead.uuid,
				company_name: lead.companyName,
				email: lead.email,
				first_name: lead.firstName,
				last_name: lead.lastName,
			},
			partner: { uuid: partner.uuid, name: partner.name },
			partnerType: partner.partnerType,
			currency: toCurrencyRef(currency),
			stage: toLabelRef(stage),
			paymentStage: toLabelRef(paymentStage),
		})
		.from(deal)
		.innerJoin(lead, eq(lead.uuid, deal.leadUuid))
		.innerJoin(partner, eq(partner.uuid, deal.partnershipUuid))
		.leftJoin(currency, eq(currency.id, deal.currencyId))
		.leftJoin(stage, eq(stage.id, deal.stageId))
		.leftJoin(paymentStage, eq(paymentStage.id, deal.paymentStageId))
		.$dynamic();
};

export type DealRow = Awaited<ReturnType<typeof selectDeals>>[number];

/** A changed deal as it is after a write; undefined if it is new, or a record that it refers to has to be read. */
export function toWrittenDeal(
	row: DealRow["row"],
	before: DealRow | null,
	context: Context,
): DealRow | undefined {
	if (!before || row.partnershipUuid !== before.row.partnershipUuid)
		return undefined;
	const currency = showReference(
		"currency",
		row.currencyId,
		context,
		toCurrencyRef,
		{ key: before.row.currencyId, shown: before.currency },
	);
	const stage = showReference("stage", row.stageId, context, toLabelRef, {
		key: before.row.stageId,
		shown: before.stage,
	});
	const paymentStage = showReference(
		"stage",
		row.paymentStageId,
		context,
		toLabelRef,
		{ key: before.row.paymentStageId, shown: before.paymentStage },
	);
	if (
		currency === undefined ||
		stage === undefined ||
		paymentStage === undefined ||
		row.leadUuid !== before.row.leadUuid
	)
		return undefined;
	return { ...before, row, currency, stage, paymentStage };
}

export const toDeal = (
	{ row, lead, partner, partnerType, currency, stage, paymentStage }: DealRow,
	{ tags, assigned_users }: RecordLinks,
	custom_fields: Deal["custom_fields"],
): Deal => ({
	uuid: row.uuid,
	label: row.label,
	deal_value: row.dealValue,
	total_commission_value: row.totalCommissionValue,
	currency,
	stage,
	payment_stage: paymentStage,
	lead,
	partner,
	partner_type: partnerType,
	expiration_date: row.expirationDate,
	tags,
	assigned_users,
	custom_fields,
	archived_at: toIsoOrNull(row.archivedAt),
	...toTimes(row),
});

/** The `deal` of a webhook body (docs/decisions.md#members-of-the-payloads). */
export const toDealPayload = (deal: Deal): DealPayload => ({
	uuid: deal.uuid,
	label: deal.label,
	deal_value: deal.deal_value,
	currency: deal.currency && {
		uuid: deal.currency.uuid,
		code: deal.currency.code,
	},
	stage: deal.stage,
	lead: { uuid: deal.lead.uuid, company_name: deal.lead.company_name },
	partnership: { uuid: deal.partner.uuid, company_name: deal.partner.name },
	expiration_date: deal.expiration_date,
	custom_fields: deal.custom_fields,
	tags: deal.tags,
	created_at: deal.created_at,
	updated_at: deal.updated_at,
});
