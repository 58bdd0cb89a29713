import type { LeadUpdate } from "@partnerwire/contract";
import type { SearchIndex } from "../db/search-text.ts";
import type { Tables } from "../db/tables.ts";
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
	type LeadRow,
	selectLeads,
	toLead,
	toLeadPayload,
	toWrittenLead,
} from "./lead-view.ts";

/** Leads: how the resource engine reads, writes and shows them. */
export const leads = createRecords({
	table: "lead",
	entity: "lead",
	noun: "lead",
	isCounted: true,
	select: selectLeads,
	attach: loadLinks,
	toShown: toLead,
	toWritten: toWrittenLead,
	fields: {
		category: "lead",
		partnerTypeOf: ({ partnership }) => partnership.partner_type,
		partnerTypeWith: async ({ partnershipUuid }, before, context) =>
			before && [undefined, before.partnership.uuid].includes(partnershipUuid)
				? before.partnership.partner_type
				: partnerTypeOf(partnershipUuid, context),
	},
	webhook: {
		events: {
			created: "lead_created",
			updated: "lead_updated",
			archived: "lead_deleted",
		},
		toPayload: toLeadPayload,
	},
	toColumns,
});

async function toColumns(
	body: LeadUpdate,
	references: References,
): Promise<Partial<LeadRow["row"]>> {
	const partner = await references.find(
		"partner",
		"partnership_uuid",
		body.partnership_uuid,
	);
	const stage = await references.findStage(
		"stage_uuid",
		body.stage_uuid,
		"lead",
	);
	references.refuseInvalid();
	return {
		partnershipUuid: partner?.uuid,
		companyName: body.company_name,
		email: body.email,
		firstName: body.first_name,
		lastName: body.last_name,
		phoneNumber: body.phone_number,
		website: body.website,
		status: body.status,
		source: body.source,
		direction: body.direction,
		stageId: toId(stage),
	};
}

const leadSearch = (lead: Tables["lead"]): SearchIndex => ({
	table: "lead",
	uuid: lead.uuid,
	columns: [lead.companyName, lead.email, lead.firstName, lead.lastName],
});

export const leadHandlers = {
	listLeads: ({ query }, context) => {
		const { db } = context;
		const { lead, stage } = db.tables;
		return leads.list(query, context, {
			scattered: [
				whenTagged(db, lead.uuid, query.tag_uuids),
				whenAssigned(db, lead.uuid, query.assigned_user_uuid),
			],
			search: { index: leadSearch(lead), text: query.search },
			selective: [
				whenEqual(lead.partnershipUuid, query.partnership_uuid),
				whenReferenced(db, lead.stageId, stage, query.stage_uuids),
			],
			conditions: [
				whenEqual(lead.status, query.status),
				whenEqual(lead.direction, query.direction),
			],
		});
	},

	getLead: leads.handlers.get,
	createLead: leads.handlers.create,
	updateLead: leads.handlers.update,
	archiveLead: leads.handlers.archive,
} satisfies Partial<Handlers>;
