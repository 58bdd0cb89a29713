import { ApiError, type DealPartner, notFound } from "@partnerwire/contract";
import { and, asc, eq, inArray, ne } from "drizzle-orm";
import type { Change } from "../context/change.ts";
import type { Context } from "../context/context.ts";
import { insertRow } from "../db/insert-row.ts";
import type { Handlers } from "../execute/handlers.ts";
import { leads } from "../leads/leads.ts";
import { createReferences, toId } from "../resource/references.ts";
import { toLabelRef, toPartnerRef } from "../resource/to-ref.ts";
import { toIso } from "../values/times.ts";
import type { DealRow } from "./deal-view.ts";
import { deals } from "./deals.ts";

/** The supporting partners of a deal, in the order in which they were added. */
async function findSupporting(
	dealUuid: string,
	{ db }: Context,
): Promise<DealPartner[]> {
	const { dealPartner, partner, partnerRole } = db.tables;
	const rows = await db.query
		.select({
			...toPartnerRef(partner),
			role: toLabelRef(partnerRole),
			createdAt: dealPartner.createdAt,
		})
		.from(dealPartner)
		.innerJoin(partner, eq(partner.uuid, dealPartner.partnershipUuid))
		.leftJoin(partnerRole, eq(partnerRole.id, dealPartner.roleId))
		.where(eq(dealPartner.dealUuid, dealUuid))
		.orderBy(asc(dealPartner.id));
	return rows.map(({ createdAt, ...shown }) => ({
		...shown,
		created_at: toIso(createdAt),
	}));
}

/** The change of a deal's supporting partners, which is an update of the deal. */
async function toDealChange(
	dealUuid: string,
	before: readonly DealPartner[],
	context: Context,
): Promise<Change> {
	const emits = await deals.touch(dealUuid, context);
	return {
		entity: "lead_deal",
		uuid: dealUuid,
		action: "updated",
		before: { supporting_partners: before },
		after: { supporting_partners: await findSupporting(dealUuid, context) },
		emits,
	};
}

/** The partner's contacts: those that are on the lead, and those that are not. */
async function contactsOf(
	partnershipUuid: string,
	leadUuid: string,
	{ db }: Context,
): Promise<{ on: string[]; off: string[] }> {
	const { contact, recordLink } = db.tables;
	const rows = await db.query
		.select({ uuid: contact.uuid, linked: recordLink.id })
		.from(contact)
		.leftJoin(
			recordLink,
			and(
				eq(recordLink.contactUuid, contact.uuid),
				eq(recordLink.recordUuid, leadUuid),
			),
		)
		.where(eq(contact.partnershipUuid, partnershipUuid))
		.orderBy(asc(contact.createdAt), asc(contact.uuid));
	const toUuids = (isLinked: boolean) =>
		rows
			.filter(({ linked }) => (linked !== null) === isLinked)
			.map(({ uuid }) => uuid);
	return { on: toUuids(true), off: toUuids(false) };
}

/** Adds the partner's contacts to the lead (docs/decisions.md#contacts-of-a-supporting-partner). */
async function bringContacts(
	partnershipUuid: string,
	leadUuid: string,
	context: Context,
): Promise<readonly Change[]> {
	const { off } = await contactsOf(partnershipUuid, leadUuid, context);
	if (off.length === 0) return [];
	const lead = await leads.read(leadUuid, context);
	const { changes } = await leads.change(lead, {}, context, {
		writeLinks: async () => {
			const row = { recordUuid: leadUuid, createdAt: context.nowMs };
			for (const contactUuid of off)
				await insertRow(context.db, "recordLink", { ...row, contactUuid });
		},
	});
	return changes;
}

/**
 * Removes the partner's contacts from the lead, unless it supports another deal of that lead
 * (docs/decisions.md#contacts-of-a-supporting-partner).
 */
async function takeContacts(
	partnershipUuid: string,
	{ uuid: dealUuid, leadUuid }: DealRow["row"],
	context: Context,
): Promise<readonly Change[]> {
	const { query, tables } = context.db;
	const { dealPartner, deal, recordLink } = tables;
	const [other] = await query
		.select({ id: dealPartner.id })
		.from(dealPartner)
		.innerJoin(deal, eq(deal.uuid, dealPartner.dealUuid))
		.where(
			and(
				eq(deal.leadUuid, leadUuid),
				eq(dealPartner.partnershipUuid, partnershipUuid),
				ne(deal.uuid, dealUuid),
			),
		)
		.limit(1);
	if (other) return [];
	const { on } = await contactsOf(partnershipUuid, leadUuid, context);
	if (on.length === 0) return [];
	const lead = await leads.read(leadUuid, context);
	const { changes } = await leads.change(lead, {}, context, {
		writeLinks: async () => {
			await query
				.delete(recordLink)
				.where(
					and(
						eq(recordLink.recordUuid, leadUuid),
						inArray(recordLink.contactUuid, on),
					),
				);
		},
	});
	return changes;
}

/** The operations on the supporting partners of a deal (docs/decisions.md#supporting-partners). */
export const coSellingHandlers = {
	listDealPartners: async ({ params }, context) => {
		await deals.read(params.uuid, context);
		return findSupporting(params.uuid, context);
	},

	addDealPartner: async ({ params: { uuid: dealUuid }, body }, context) => {
		const { row: deal } = await deals.readLive(dealUuid, context);
		const references = createReferences(context);
		const partner = await references.find(
			"partner",
			"partnership_uuid",
			body.partnership_uuid,
		);
		const role = await references.find(
			"partnerRole",
			"role_uuid",
			body.role_uuid,
		);
		references.refuseInvalid();
		if (partner.uuid === deal.partnershipUuid)
			throw new ApiError(
				"conflict",
				`${partner.name} is the primary partner of this deal`,
			);
		const before = await findSupporting(dealUuid, context);
		if (before.some(({ uuid }) => uuid === partner.uuid))
			throw new ApiError(
				"conflict",
				`${partner.name} supports this deal already`,
			);
		await insertRow(context.db, "dealPartner", {
			dealUuid,
			partnershipUuid: partner.uuid,
			roleId: toId(role),
			createdAt: context.nowMs,
		});
		const change = await toDealChange(dealUuid, before, context);
		return {
			result: {
				...toPartnerRef(partner),
				role: role ? toLabelRef(role) : null,
				created_at: toIso(context.nowMs),
			},
			changes: [
				change,
				...(await bringContacts(partner.uuid, deal.leadUuid, context)),
			],
		};
	},

	removeDealPartner: async ({ params }, context) => {
		const { uuid: dealUuid, subUuid: partnershipUuid } = params;
		const { row: deal } = await deals.readLive(dealUuid, context);
		const before = await findSupporting(dealUuid, context);
		if (!before.some(({ uuid }) => uuid === partnershipUuid))
			throw notFound("supporting partner");
		const { dealPartner } = context.db.tables;
		await context.db.query
			.delete(dealPartner)
			.where(
				and(
					eq(dealPartner.dealUuid, dealUuid),
					eq(dealPartner.partnershipUuid, partnershipUuid),
				),
			);
		const change = await toDealChange(dealUuid, before, context);
		const contacts = await takeContacts(partnershipUuid, deal, context);
		return { result: { success: true }, changes: [change, ...contacts] };
	},
} satisfies Partial<Handlers>;
