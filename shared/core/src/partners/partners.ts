import {
	ApiError,
	type PartnerType,
	type PartnerUpdate,
} from "@partnerwire/contract";
import { eq } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import type { Handlers } from "../execute/handlers.ts";
import {
	whenAssigned,
	whenEqual,
	whenReferenced,
	whenTagged,
} from "../resource/conditions.ts";
import { createRecords } from "../resource/create-records.ts";
import { type References, toId } from "../resource/references.ts";
import { fromIso } from "../values/times.ts";
import {
	attachToPartners,
	type PartnerRow,
	selectPartners,
	toPartner,
	toPartnershipPayload,
	toWrittenPartner,
} from "./partner-view.ts";

/** Partners: how the resource engine reads, writes and shows them. */
export const partners = createRecords({
	table: "partner",
	entity: "partnership",
	noun: "partner",
	isCounted: true,
	select: selectPartners,
	attach: attachToPartners,
	toShown: toPartner,
	toWritten: toWrittenPartner,
	fields: {
		category: "partner",
		partnerTypeOf: ({ row }) => row.partnerType,
		partnerTypeWith: async ({ partnerType }, before) =>
			partnerType ?? (before?.row.partnerType as PartnerType),
	},
	webhook: {
		events: {
			created: "partner_created",
			updated: "partner_updated",
			archived: "partner_updated",
		},
		toPayload: toPartnershipPayload,
	},
	toColumns,
});

async function toColumns(
	body: PartnerUpdate,
	references: References,
): Promise<Partial<PartnerRow["row"]>> {
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

/** Refuses a new type to a distributor with resellers, or to a reseller with one (docs/decisions.md#resellers). */
async function refuseSupplyChain(
	{ uuid, name, distributorUuid }: PartnerRow["row"],
	{ db }: Context,
): Promise<void> {
	const { partner } = db.tables;
	const [reseller] = await db.query
		.select({ uuid: partner.uuid })
		.from(partner)
		.where(eq(partner.distributorUuid, uuid))
		.limit(1);
	if (!reseller && distributorUuid === null) return;
	throw new ApiError(
		"conflict",
		`the partner_type of "${name}" cannot change while it has ${reseller ? "resellers" : "a distributor"}`,
	);
}

export const partnerHandlers = {
	listPartners: ({ query }, context) => {
		const { db } = context;
		const { partner, stage, tier, category } = db.tables;
		return partners.list(query, context, {
			scattered: [
				whenTagged(db, partner.uuid, query.tag_uuids),
				whenAssigned(db, partner.uuid, query.assigned_user_uuid),
			],
			search: {
				index: {
					table: "partner",
					uuid: partner.uuid,
					columns: [partner.name, partner.email],
				},
				text: query.search,
			},
			selective: [
				whenReferenced(db, partner.stageId, stage, query.stage_uuids),
				whenReferenced(db, partner.tierId, tier, query.tier_uuids),
				whenReferenced(db, partner.categoryId, category, query.category_uuids),
			],
			conditions: [whenEqual(partner.partnerType, query.partner_type)],
			sortable: { name: partner.name },
		});
	},

	getPartner: partners.handlers.get,
	createPartner: partners.handlers.create,

	updatePartner: async (input, context) => {
		const { params, body } = input;
		if (body.partner_type !== undefined) {
			const { row } = await partners.readLive(params.uuid, context);
			if (row.partnerType !== body.partner_type)
				await refuseSupplyChain(row, context);
		}
		return partners.handlers.update(input, context);
	},

	archivePartner: partners.handlers.archive,
	restorePartner: partners.handlers.restore,
} satisfies Partial<Handlers>;
