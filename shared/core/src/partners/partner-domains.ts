import {
	ApiError,
	type PartnerDomain,
	type PartnerDomainCreate,
	type PartnerDomainUpdate,
} from "@partnerwire/contract";
import { and, asc, desc, eq, ne } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import type { RowOf } from "../db/insert-row.ts";
import type { Handlers } from "../execute/handlers.ts";
import { createParts } from "../resource/create-parts.ts";
import { toTimes } from "../values/times.ts";
import { partners } from "./partners.ts";

const toShown = ({ row }: { row: RowOf<"partnerDomain"> }): PartnerDomain => ({
	uuid: row.uuid,
	domain: row.domain,
	is_primary: row.isPrimary,
	...toTimes(row),
});

/** A domain belongs to one partner, also to an archived one (docs/decisions.md#uniqueness-and-archiving). */
async function refuseTaken(
	domain: string,
	ownUuid: string | undefined,
	{ db, caller }: Context,
): Promise<void> {
	const { partnerDomain, partner } = db.tables;
	const [taken] = await db.query
		.select({ name: partner.name, archivedAt: partner.archivedAt })
		.from(partnerDomain)
		.innerJoin(partner, eq(partner.uuid, partnerDomain.partnershipUuid))
		.where(
			and(
				eq(partnerDomain.companyUuid, caller.companyUuid),
				eq(partnerDomain.domain, domain),
				ownUuid ? ne(partnerDomain.uuid, ownUuid) : undefined,
			),
		);
	if (!taken) return;
	const holder = taken.archivedAt === null ? "partner" : "archived partner";
	throw new ApiError(
		"conflict",
		`the domain ${domain} is that of the ${holder} "${taken.name}"`,
	);
}

/** Makes exactly one domain primary: the one just made primary, else the present one, else the oldest. */
async function keepOnePrimary(
	path: { uuid: string; subUuid: string },
	{ db, nowMs }: Context,
): Promise<{ before: PartnerDomain; after: PartnerDomain }[]> {
	const { partnerDomain } = db.tables;
	const domains = await db.query
		.select()
		.from(partnerDomain)
		.where(eq(partnerDomain.partnershipUuid, path.uuid))
		.orderBy(asc(partnerDomain.createdAt), asc(partnerDomain.uuid));
	const primary = domains.filter(({ isPrimary }) => isPrimary);
	const chosen =
		primary.find(({ uuid }) => uuid === path.subUuid) ??
		primary[0] ??
		domains[0];
	const others = [];
	for (const row of domains) {
		if (row.isPrimary === (row === chosen)) continue;
		const changed = { isPrimary: !row.isPrimary, updatedAt: nowMs };
		await db.query
			.update(partnerDomain)
			.set(changed)
			.where(eq(partnerDomain.uuid, row.uuid));
		if (row.uuid === path.subUuid) continue;
		const after = toShown({ row: { ...row, ...changed } });
		others.push({ before: toShown({ row }), after });
	}
	return others;
}

const domains = createParts({
	table: "partnerDomain",
	entity: "partnership_domain",
	noun: "domain",
	parents: partners,
	column: "partnershipUuid",
	select: ({ query, tables: { partnerDomain } }) =>
		query.select({ row: partnerDomain }).from(partnerDomain).$dynamic(),
	order: ({ tables }) => desc(tables.partnerDomain.isPrimary),
	toShown,
	toCreated: async (body: PartnerDomainCreate, _, { context }) => {
		await refuseTaken(body.domain, undefined, context);
		return { domain: body.domain, isPrimary: body.is_primary };
	},
	toChanged: async (body: PartnerDomainUpdate, _, { params, context }) => {
		if (body.domain) await refuseTaken(body.domain, params.subUuid, context);
		return { domain: body.domain, isPrimary: body.is_primary || undefined };
	},
	settle: keepOnePrimary,
});

/** The domains of partners. */
export const partnerDomainHandlers = {
	listPartnerDomains: domains.list,
	createPartnerDomain: domains.create,
	updatePartnerDomain: domains.update,
	deletePartnerDomain: domains.remove,
} satisfies Partial<Handlers>;
