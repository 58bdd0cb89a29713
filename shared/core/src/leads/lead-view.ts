import type { Lead } from "@partnerwire/contract";
import type { LeadPayload } from "@partnerwire/wire";
import { eq } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import { hasValues } from "../custom-fields/engine/stored-values.ts";
import { alias } from "../db/alias.ts";
import type { Db } from "../db/db.ts";
import { hasLinks, type RecordLinks } from "../resource/record-links.ts";
import { showReference } from "../resource/references.ts";
import { toLabelRef, toPartnerRef } from "../resource/to-ref.ts";
import { toIsoOrNull, toTimes } from "../values/times.ts";

/** Selects leads with the records that they refer to. */
export const selectLeads = (db: Db) => {
	const { query, tables } = db;
	const { lead, partner, stage } = tables;
	const distributor = alias(partner, "distributor");
	return query
		.select({
			row: lead,
			hasFields: hasValues(db, lead.uuid),
			hasLinks: hasLinks(db, lead.uuid),
			partnership: toPartnerRef(partner),
			distributor: toPartnerRef(distributor),
			stage: toLabelRef(stage),
		})
		.from(lead)
		.innerJoin(partner, eq(partner.uuid, lead.partnershipUuid))
		.leftJoin(distributor, eq(distributor.uuid, lead.distributorUuid))
		.leftJoin(stage, eq(stage.id, lead.stageId))
		.$dynamic();
};

export type LeadRow = Awaited<ReturnType<typeof selectLeads>>[number];

/** A lead as it is after a write; undefined if a record that it refers to has to be read. */
export function toWrittenLead(
	row: LeadRow["row"],
	before: LeadRow | null,
	context: Context,
): LeadRow | undefined {
	const partnership = showReference(
		"partner",
		row.partnershipUuid,
		context,
		toPartnerRef,
		before && { key: before.row.partnershipUuid, shown: before.partnership },
	);
	const distributor = showReference(
		"partner",
		row.distributorUuid,
		context,
		toPartnerRef,
		before && { key: before.row.distributorUuid, shown: before.distributor },
	);
	const stage = showReference(
		"stage",
		row.stageId,
		context,
		toLabelRef,
		before && { key: before.row.stageId, shown: before.stage },
	);
	if (!partnership || distributor === undefined || stage === undefined)
		return undefined;
	const { hasFields, hasLinks } = before ?? {
		hasFields: false,
		hasLinks: false,
	};
	return { row, hasFields, hasLinks, partnership, distributor, stage };
}

export const toLead = (
	{ row, partnership, distributor, stage }: LeadRow,
	links: RecordLinks,
	custom_fields: Lead["custom_fields"],
): Lead => ({
	uuid: row.uuid,
	first_name: row.firstName,
	last_name: row.lastName,
	email: row.email,
	phone_number: row.phoneNumber,
	company_name: row.companyName,
	website: row.website,
	status: row.status,
	stage,
	source: row.source,
	direction: row.direction,
	partnership,
	distributor,
	...links,
	custom_fields,
	archived_at: toIsoOrNull(row.archivedAt),
	...toTimes(row),
});

/** The `lead` of a webhook body (docs/decisions.md#members-of-the-payloads). */
export const toLeadPayload = (lead: Lead): LeadPayload => ({
	uuid: lead.uuid,
	company_name: lead.company_name,
	email: lead.email,
	first_name: lead.first_name,
	last_name: lead.last_name,
	phone_number: lead.phone_number,
	website: lead.website,
	status: lead.status,
	stage: lead.stage,
	partnership: {
		uuid: lead.partnership.uuid,
		company_name: lead.partnership.name,
		partner_type: lead.partnership.partner_type,
	},
	tags: lead.tags,
	assigned_users: lead.assigned_users,
	custom_fields: lead.custom_fields,
	created_at: lead.created_at,
	updated_at: lead.updated_at,
});
