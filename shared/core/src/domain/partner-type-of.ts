import type { PartnerType } from "@partnerwire/contract";
import { eq, sql } from "drizzle-orm";
import { defineQuery } from "../db/prepared.ts";
import type { Context } from "../execute/context.ts";

const partnerTypeByUuid = defineQuery(
	"partner_type_by_uuid",
	({ query, tables: { partner } }) =>
		query
			.select({ type: partner.partnerType })
			.from(partner)
			.where(eq(partner.uuid, sql.placeholder("uuid"))),
);

/** The partner type of a partner that is known to be there. */
export async function partnerTypeOf(
	uuid: string | undefined,
	{ db }: Context,
): Promise<PartnerType> {
	const [found] = await partnerTypeByUuid(db, { uuid });
	if (!found) throw new TypeError(`there is no partner ${uuid}`);
	return found.type;
}
