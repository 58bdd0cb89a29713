import {
	ApiError,
	type PartnerDomain,
	type PartnerDomainUpdate,
} from "@partnerwire/contract";
import { and, asc, desc, eq, ne } from "drizzle-orm";
import type { Change } from "../context/change.ts";
import type { Context } from "../context/context.ts";
import type { RowOf } from "../db/insert-row.ts";
import type { Handlers } from "../execute/handlers.ts";
import { createParts } from "../resource/create-parts.ts";
import { selectRows } from "../resource/resource-kind.ts";
import { toTimes } from "../values/times.ts";
import { partners } from "./partners.ts";

const ENTITY = "partnership_domain";

type DomainRow = RowOf<"partnerDomain">;

const toShown = ({ row }: { row: DomainRow }): PartnerDomain => ({
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

/** Makes exactly one domain primary after a write: the written one, else the present one, else the oldest. */
async function keepOnePrimary(
	written: DomainRow,
	{ db, nowMs }: Context,
): Promise<Change[]> {
	const { partnerDomain } = db.tables;
	const domains = await db.query
		.select()
		.from(partnerDomain)
		.where(eq(partnerDomain.partnershipUuid, written.partnershipUuid))
		.orderBy(asc(partnerDomain.createdAt), asc(partnerDomain.uuid));
	const primary = domains.filter(({ isPrimary }) => isPrimary);
	const chosen =
		primary.find(({ uuid }) => uuid === written.uuid) ??
		primary[0] ??
		domains[0];
	const others: Change[] = [];
	for (const row of domains) {
		if (row.isPrimary === (row === chosen)) continue;
		const changed = { isPrimary: !row.isPrimary, updatedAt: nowMs };
		await db.query
			.update(partnerDomain)
			.set(changed)
			.where(eq(partnerDomain.uuid, row.uuid));
		if (row.uuid === written.uuid) continue;
		const after = toShown({ row: { ...row, ...changed } });
		const before = toShown({ row });
		const { uuid } = row;
		others.push({ entity: ENTITY, uuid, action: "updated", before, after });
	}
	return others;
}

const domains = createParts({
	table: "partnerDomain",
	entity: ENTITY,
	noun: "domain",
	parents: partners,
	column: "partnershipUuid",
	select: selectRows("partnerDomain"),
	order: ({ tables }) => desc(tables.partnerDomain.isPrimary),
	toShown,
	defaults: { isPrimary: false },
	toColumns: (body: PartnerDomainUpdate) => ({
		domain: body.domain,
		isPrimary: body.is_primary || undefined,
	}),
	async refuse({ domain }, viewed, context) {
		if (domain) await refuseTaken(domain, viewed?.row.uuid, context);
	},
	cascade: keepOnePrimary,
}).handlers;

/** The domains of partners. */
export const partnerDomainHandlers = {
	listPartnerDomains: domains.list,
	createPartnerDomain: domains.create,
	updatePartnerDomain: domains.update,
	deletePartnerDomain: domains.remove,
} satisfies Partial<Handlers>;
