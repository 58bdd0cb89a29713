import type { PartnerType } from "@partnerwire/contract";
import { and, eq, sql } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import type { RowOf } from "../db/insert-row.ts";
import { defineQuery } from "../db/prepared.ts";

const partnerTypeByUuid = defineQuery(
	"partner_type_by_uuid",
	({ query, tables: { partner } }) =>
		query
			.select({ type: partner.partnerType })
			.from(partner)
			.where(
				and(
					eq(partner.uuid, sql.placeholder("uuid")),
					eq(partner.companyUuid, sql.placeholder("companyUuid")),
				),
			),
);

/** The partner type of a partner that is known to exist. */
export async function partnerTypeOf(
	uuid: string | undefined,
	{ db, found, caller: { companyUuid } }: Context,
): Promise<PartnerType> {
	const known = found.get(`partner ${uuid}`) as RowOf<"partner"> | undefined;
	if (known) return known.partnerType;
	const [row] = await partnerTypeByUuid(db, { uuid, companyUuid });
	if (!row) throw new TypeError(`there is no partner ${uuid}`);
	return row.type;
}
