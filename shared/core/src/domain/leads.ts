import type { LeadUpdate } from "@partnerwire/contract";
import { eq } from "drizzle-orm";
import { insertRow, type NewRowOf } from "../db/insert-row.ts";
import type { Context } from "../execute/context.ts";
import type { SomeHandlers } from "../execute/handlers.ts";
import {
	whenArchived,
	whenContains,
	whenEqual,
	whenReferenced,
} from "./conditions.ts";
import {
	findLead,
	type LeadRow,
	selectLeads,
	toLead,
	toLeadPayload,
} from "./lead-view.ts";
import { listPage } from "./list-page.ts";
import {
	archiveRecord,
	changeRecord,
	readLiveRecord,
	readRecord,
	toCreated,
} from "./record-kind.ts";
import { createReferences, toId } from "./references.ts";

export const leads = {
	table: "lead",
	entity: "lead",
	noun: "lead",
	find: findLead,
	toShown: toLead,
	toPayload: toLeadPayload,
	events: {
		created: "lead_created",
		updated: "lead_updated",
		archived: "lead_deleted",
	},
} as const;

async function toColumns(
	body: LeadUpdate,
	context: Context,
): Promise<Partial<LeadRow["row"]>> {
	const references = createReferences(context);
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
			toItem: toLead,
		});
	},

	getLead: async ({ params }, context) =>
		toLead(await readRecord(leads, params.uuid, context)),

	createLead: async ({ body }, context) => {
		const uuid = context.newUuid();
		await insertRow(context.db, "lead", {
			...(await toColumns(body, context)),
			uuid,
			companyUuid: context.caller.companyUuid,
			createdAt: context.nowMs,
			updatedAt: context.nowMs,
		} as NewRowOf<"lead">);
		return toCreated(leads, uuid, context);
	},

	updateLead: async ({ params, body }, context) => {
		const columns = await toColumns(body, context);
		return changeRecord(
			leads,
			await readLiveRecord(leads, params.uuid, context),
			columns,
			context,
		);
	},

	archiveLead: ({ params }, context) =>
		archiveRecord(leads, params.uuid, context),
};
