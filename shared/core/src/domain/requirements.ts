import {
	DealCreate,
	LeadCreate,
	type Requirements,
} from "@partnerwire/contract";
import type { Context } from "../execute/context.ts";
import type { SomeHandlers } from "../execute/handlers.ts";
import { partners } from "./partners.ts";

/** The members of a create, as the contract has them. */
const toStandardFields = (schema: typeof LeadCreate | typeof DealCreate) =>
	Object.entries(schema.shape).map(([name, member]) => ({
		name,
		required: !member.safeParse(undefined).success,
	}));

const FIELDS = {
	lead: toStandardFields(LeadCreate),
	lead_deal: toStandardFields(DealCreate),
} as const;

const requirementsOf =
	(entity: keyof typeof FIELDS) =>
	async (
		{ params }: { params: { partnershipId: string } },
		context: Context,
	): Promise<Requirements> => {
		const { row } = await partners.read(params.partnershipId, context);
		return {
			partnership_uuid: row.uuid,
			partner_type: row.partnerType,
			entity,
			standard_fields: FIELDS[entity],
			custom_fields: [],
		};
	};

export const requirementsHandlers: SomeHandlers<
	"getLeadRequirements" | "getDealRequirements"
> = {
	getLeadRequirements: requirementsOf("lead"),
	getDealRequirements: requirementsOf("lead_deal"),
};
