import type { PartnerUpdate } from "@partnerwire/contract";
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
import { listPage } from "./list-page.ts";
import {
	findPartner,
	type PartnerRow,
	selectPartners,
	toPartner,
	toPartnershipPayload,
} from "./partner-view.ts";
import {
	archiveRecord,
	changeRecord,
	readLiveRecord,
	readRecord,
	toCreated,
} from "./record-kind.ts";
import { createReferences, toId } from "./references.ts";
import { fromIso } from "./times.ts";

const partners = {
	table: "partner",
	entity: "partnership",
	noun: "partner",
	find: findPartner,
	toShown: toPartner,
	toPayload: toPartnershipPayload,
	events: {
		created: "partner_created",
		updated: "partner_updated",
		archived: "partner_updated",
	},
} as const;

async function toColumns(
	body: PartnerUpdate,
	context: Context,
): Promise<Partial<PartnerRow["row"]>> {
	const references = createReferences(context);
	const stage = await references.findStage(
		"stage_uuid",
		body.stage_uuid,
		"partner",
	);
	const tier = await references.find("tier", "tier_uuid", body.tier_uuid);
	const category = await references.find(
		"category",
		"category_uuid",
		body.category_uuid,
	);
	references.refuseInvalid();
	return {
		name: body.name,
		email: body.email,
		phoneNumber: body.phone_number,
		websiteUrl: body.website_url,
		description: body.description,
		partnerType: body.partner_type,
		stageId: toId(stage),
		tierId: toId(tier),
		categoryId: toId(category),
		acceptedAt: fromIso(body.accepted_at),
		invitedAt: fromIso(body.invited_at),
	};
}

export const partnerHandlers: SomeHandlers<
	| "listPartners"
	| "getPartner"
	| "createPartner"
	| "updatePartner"
	| "archivePartner"
> = {
	listPartners: ({ query }, { db, caller }) => {
		const { partner, stage, tier, category } = db.tables;
		return listPage(db, query, {
			table: partner,
			query: selectPartners(db),
			conditions: [
				eq(partner.companyUuid, caller.companyUuid),
				whenArchived(partner.archivedAt, query.archived),
				whenEqual(partner.partnerType, query.partner_type),
				whenReferenced(db, partner.stageId, stage, query.stage_uuids),
				whenReferenced(db, partner.tierId, tier, query.tier_uuids),
				whenReferenced(db, partner.categoryId, category, query.category_uuids),
				whenContains(db, [partner.name, partner.email], query.search),
			],
			sortable: { name: partner.name },
			toItem: toPartner,
		});
	},

	getPartner: async ({ params }, context) =>
		toPartner(await readRecord(partners, params.uuid, context)),

	createPartner: async ({ body }, context) => {
		const uuid = context.newUuid();
		await insertRow(context.db, "partner", {
			...(await toColumns(body, context)),
			uuid,
			companyUuid: context.caller.companyUuid,
			createdAt: context.nowMs,
			updatedAt: context.nowMs,
		} as NewRowOf<"partner">);
		return toCreated(partners, uuid, context);
	},

	updatePartner: async ({ params, body }, context) => {
		const columns = await toColumns(body, context);
		return changeRecord(
			partners,
			await readLiveRecord(partners, params.uuid, context),
			columns,
			context,
		);
	},

	archivePartner: ({ params }, context) =>
		archiveRecord(partners, params.uuid, context),
};
