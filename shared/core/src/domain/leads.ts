import type { LeadUpdate } from "@partnerwire/contract";
import { eq } from "drizzle-orm";
import type { SomeHandlers } from "../execute/handlers.ts";
import {
	whenArchived,
	whenAssigned,
	whenContains,
	whenEqual,
	whenReferenced,
	whenTagged,
} from "./conditions.ts";
import { createRecords } from "./create-records.ts";
import {
	findLead,
	type LeadRow,
	selectLeads,
	toLead,
	toLeadPayload,
} from "./lead-view.ts";
import { listPage } from "./list-page.ts";
import { loadLinks } from "./record-links.ts";
import { createReferences, type References, toId } from "./references.ts";

export const leads = createRecords({
	table: "lead",
	entity: "lead",
	noun: "lead",
	find: findLead,
	attach: loadLinks,
	toShown: toLead,
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

export const leadHandlers: SomeHandlers<
	"listLeads" | "getLead" | "createLead" | "updateLead" | "archiveLead"
> = {
	listLeads: ({ query }, { db, caller }) => {
		const { lead, stage } = db.tables;
		return listPage(db, query, {
			table: lead,
			query: selectLeads(db),
			conditions: [
				eq(lead.companyUuid, caller.companyUuid),
				whenTagged(db, lead.uuid, query.tag_uuids),
				whenAssigned(db, lead.uuid, query.assigned_user_uuid),
				whenArchived(lead.archivedAt, query.archived),
				whenEqual(lead.partnershipUuid, query.partnership_uuid),
				whenEqual(lead.status, query.status),
				whenEqual(lead.direction, query.direction),
				whenReferenced(db, lead.stageId, stage, query.stage_uuids),
				whenContains(
					db,
					[lead.companyName, lead.email, lead.firstName, lead.lastName],
					query.search,
				),
			],
			toItems: (rows) => leads.showAll(rows, { db }),
		});
	},

	getLead: leads.handlers.get,

	createLead: async ({ body }, context) =>
		leads.create(await toColumns(body, createReferences(context)), context),

	updateLead: leads.handlers.update,
	archiveLead: leads.handlers.archive,
};
