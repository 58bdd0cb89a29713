import type { PartnerRole } from "@partnerwire/contract";
import { eq } from "drizzle-orm";
import type { RowOf } from "../db/insert-row.ts";
import type { Handlers } from "../execute/handlers.ts";
import { createSettings } from "../resource/create-settings.ts";
import { toTimes } from "../values/times.ts";

const toShown = (row: RowOf<"partnerRole">): PartnerRole => ({
	uuid: row.uuid,
	label: row.label,
	...toTimes(row),
});

/** The roles that supporting partners of deals may have (docs/decisions.md#partner-roles). */
const roles = createSettings({
	table: "partnerRole",
	entity: "partner_role",
	noun: "partner role",
	uniqueWithin: [],
	toShown,
	toColumns: ({ label }: { label?: string }) => ({ label }),
	uses: ({ dealPartner }, id) => [
		{
			table: dealPartner,
			where: eq(dealPartner.roleId, id),
			of: dealPartner.dealUuid,
		},
	],
});

export const partnerRoleHandlers = {
	listPartnerRoles: ({ query }, context) => {
		const { label } = context.db.tables.partnerRole;
		return roles.list(query, context, { sortable: { label } });
	},
	getPartnerRole: roles.handlers.get,
	createPartnerRole: roles.handlers.create,
	updatePartnerRole: roles.handlers.update,
	deletePartnerRole: roles.handlers.remove,
} satisfies Partial<Handlers>;
