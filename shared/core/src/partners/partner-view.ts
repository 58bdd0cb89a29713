import type { Partner } from "@partnerwire/contract";
import type { PartnershipPayload } from "@partnerwire/wire";
import { asc, desc, eq, exists, inArray, sql } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import { hasValues } from "../custom-fields/engine/stored-values.ts";
import type { Db } from "../db/db.ts";
import { defineQuery } from "../db/prepared.ts";
import {
	hasLinks,
	type LoadAttached,
	loadLinks,
	type RecordLinks,
} from "../resource/record-links.ts";
import { showReference } from "../resource/references.ts";
import { toLabelRef } from "../resource/to-ref.ts";
import { toIsoOrNull, toTimes } from "../values/times.ts";

/** Selects partners with the records that they refer to. */
export const selectPartners = (db: Db) => {
	const { query, tables } = db;
	const { partner, partnerDomain, stage, tier, category } = tables;
	const domains = query
		.select({ one: sql`1` })
		.from(partnerDomain)
		.where(eq(partnerDomain.partnershipUuid, partner.uuid));
	return query
		.select({
			row: partner,
			hasFields: hasValues(db, partner.uuid),
			hasLinks: sql`(${hasLinks(db, partner.uuid)} or ${exists(domains)})`,
			stage: toLabelRef(stage),
			tier: toLabelRef(tier),
			category: toLabelRef(category),
		})
		.from(partner)
		.leftJoin(stage, eq(stage.id, partner.stageId))
		.leftJoin(tier, eq(tier.id, partner.tierId))
		.leftJoin(category, eq(category.id, partner.categoryId))
		.$dynamic();
};

export type PartnerRow = Awaited<ReturnType<typeof selectPartners>>[number];

/** A partner as it is after a write; undefined if a record that it refers to has to be read. */
export function toWrittenPartner(
	row: PartnerRow["row"],
	before: PartnerRow | null,
	context: Context,
): PartnerRow | undefined {
	const show = (
		name: "stage" | "tier" | "category",
		key: "stageId" | "tierId" | "categoryId",
	) =>
		showReference(
			name,
			row[key],
			context,
			toLabelRef<string, string>,
			before && { key: before.row[key], shown: before[name] },
		);
	const stage = show("stage", "stageId");
	const tier = show("tier", "tierId");
	const category = show("category", "categoryId");
	if (stage === undefined || tier === undefined || category === undefined)
		return undefined;
	const { hasFields, hasLinks } = before ?? {
		hasFields: false,
		hasLinks: false,
	};
	return { row, hasFields, hasLinks, stage, tier, category };
}

/** The links and domains of a partner. */
type PartnerAttached = RecordLinks & Pick<Partner, "domains">;

const selectDomains = ({ query, tables: { partnerDomain } }: Db) =>
	query
		.select()
		.from(partnerDomain)
		.orderBy(
			desc(partnerDomain.isPrimary),
			asc(partnerDomain.createdAt),
			asc(partnerDomain.uuid),
		)
		.$dynamic();

const domainsOfOne = defineQuery("domains_of_partner", (db) =>
	selectDomains(db).where(
		eq(db.tables.partnerDomain.partnershipUuid, sql.placeholder("uuid")),
	),
);

async function findDomains(db: Db, uuids: readonly string[]) {
	const { partnerDomain } = db.tables;
	const [uuid] = uuids;
	if (!uuid) return [];
	return uuids.length === 1
		? domainsOfOne(db, { uuid })
		: selectDomains(db).where(
				inArray(partnerDomain.partnershipUuid, [...uuids]),
			);
}

/** Loads the links and domains of partners, the primary domain first. */
export const attachToPartners: LoadAttached<PartnerAttached> = async (
	db,
	uuids,
) => {
	const linksOf = await loadLinks(db, uuids);
	const rows = await findDomains(db, uuids);
	return (uuid) => ({
		...linksOf(uuid),
		domains: rows
			.filter(({ partnershipUuid }) => partnershipUuid === uuid)
			.map(({ uuid, domain, isPrimary }) => ({
				uuid,
				domain,
				is_primary: isPrimary,
			})),
	});
};

export const toPartner = (
	{ row, stage, tier, category }: PartnerRow,
	{ tags, assigned_users, domains }: PartnerAttached,
	custom_fields: Partner["custom_fields"],
): Partner => ({
	uuid: row.uuid,
	name: row.name,
	email: row.email,
	phone_number: row.phoneNumber,
	website_url: row.websiteUrl,
	description: row.description,
	partner_type: row.partnerType,
	stage,
	tier,
	category,
	tags,
	assigned_users,
	domains,
	custom_fields,
	accepted_at: toIsoOrNull(row.acceptedAt),
	invited_at: toIsoOrNull(row.invitedAt),
	archived_at: toIsoOrNull(row.archivedAt),
	...toTimes(row),
});

/** The `partnership` of a webhook body (docs/decisions.md#members-of-the-payloads). */
export const toPartnershipPayload = (partner: Partner): PartnershipPayload => ({
	uuid: partner.uuid,
	company_name: partner.name,
	email: partner.email,
	website: partner.website_url,
	phone_number: partner.phone_number,
	partner_type: partner.partner_type,
	stage: partner.stage,
	tier: partner.tier,
	category: partner.category,
	custom_fields: partner.custom_fields,
	created_at: partner.created_at,
	updated_at: partner.updated_at,
});
