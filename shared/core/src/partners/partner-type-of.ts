import type { PartnerType } from "@partnerwire/contract";
import { and, eq, sql } from "drizzle-orm";
import type { Context } from "../context/context.ts";
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
	{ db, caller: { companyUuid } }: Context,
): Promise<PartnerType> {
	const [found] = await partnerTypeByUuid(db, { uuid, companyUuid });
	if (!found) throw new TypeError(`there is no partner ${uuid}`);
	return found.type;
}
