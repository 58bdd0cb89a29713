import { ApiError, notFound, type PartnershipRef } from "@partnerwire/contract";
import { and, asc, desc, eq } from "drizzle-orm";
import type { Change } from "../context/change.ts";
import type { Context } from "../context/context.ts";
import type { Handlers } from "../execute/handlers.ts";
import { createReferences } from "../resource/references.ts";
import { toPartnerRef } from "../resource/to-ref.ts";
import { partners } from "./partners.ts";

async function listResellers(
	distributorUuid: string,
	{ db }: Context,
): Promise<PartnershipRef[]> {
	const { partner } = db.tables;
	return db.query
		.select(toPartnerRef(partner))
		.from(partner)
		.where(eq(partner.distributorUuid, distributorUuid))
		.orderBy(desc(partner.createdAt), asc(partner.uuid));
}

/** The 409 for a reseller that has a distributor, also an archived one (docs/decisions.md#uniqueness-and-archiving). */
async function toTaken(
	name: string,
	distributorUuid: string,
	{ db: { query, tables }, caller }: Context,
): Promise<ApiError> {
	const { partner } = tables;
	const [holder] = await query
		.select({ name: partner.name, archivedAt: partner.archivedAt })
		.from(partner)
		.where(
			and(
				eq(partner.uuid, distributorUuid),
				eq(partner.companyUuid, caller.companyUuid),
			),
		);
	const which = holder?.archivedAt ? "archived distributor" : "distributor";
	return new ApiError(
		"conflict",
		`the reseller "${name}" already has the ${which} "${holder?.name}"`,
	);
}

/** Sets or removes a reseller's distributor. The audit entry and the event are the distributor's. */
async function setDistributor(
	resellerUuid: string,
	distributorUuid: string | null,
	parentUuid: string,
	context: Context,
): Promise<Change> {
	const before = { resellers: await listResellers(parentUuid, context) };
	const { partner } = context.db.tables;
	await context.db.query
		.update(partner)
		.set({ distributorUuid })
		.where(eq(partner.uuid, resellerUuid));
	const after = { resellers: await listResellers(parentUuid, context) };
	return {
		entity: "partnership",
		uuid: parentUuid,
		action: "updated",
		before,
		after,
		emits: await partners.touch(parentUuid, context),
	};
}

/** The resellers of a distributor. A reseller has at most one distributor (docs/decisions.md#resellers). */
export const partnerResellerHandlers = {
	listPartnerResellers: async ({ params }, context) => {
		await partners.read(params.uuid, context);
		return listResellers(params.uuid, context);
	},

	addPartnerReseller: async ({ params, body }, context) => {
		const { row: parent } = await partners.readLive(params.uuid, context);
		const references = createReferences(context);
		const reseller = await references.find(
			"partner",
			"reseller_uuid",
			body.reseller_uuid,
		);
		references.refuseInvalid();
		const { uuid, name, partnerType } = reseller;
		if (parent.partnerType !== "distributor")
			throw new ApiError(
				"conflict",
				`the partner "${parent.name}" is not a distributor`,
			);
		if (partnerType !== "reseller")
			throw new ApiError("conflict", `the partner "${name}" is not a reseller`);
		if (reseller.distributorUuid !== null)
			throw await toTaken(name, reseller.distributorUuid, context);
		const change = await setDistributor(
			uuid,
			parent.uuid,
			parent.uuid,
			context,
		);
		return { result: toPartnerRef(reseller), changes: [change] };
	},

	removePartnerReseller: async ({ params }, context) => {
		await partners.readLive(params.uuid, context);
		const { query, tables } = context.db;
		const linked = await query
			.select({ uuid: tables.partner.uuid })
			.from(tables.partner)
			.where(
				and(
					eq(tables.partner.uuid, params.subUuid),
					eq(tables.partner.distributorUuid, params.uuid),
				),
			);
		if (linked.length === 0) throw notFound("reseller");
		const change = await setDistributor(
			params.subUuid,
			null,
			params.uuid,
			context,
		);
		return { result: { success: true }, changes: [change] };
	},
} satisfies Partial<Handlers>;
