import {
	DealCreate,
	LeadCreate,
	type Requirements,
} from "@partnerwire/contract";
import { and, asc, eq, isNull, or } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import {
	selectRules,
	toShownRule,
} from "../custom-fields/custom-field-rule-view.ts";
import { customFields } from "../custom-fields/custom-fields.ts";
import { applyRules } from "../custom-fields/engine/apply-rules.ts";
import { loadFieldSet } from "../custom-fields/engine/load-field-set.ts";
import { scopeOf } from "../custom-fields/engine/scope.ts";
import type { Handlers } from "../execute/handlers.ts";
import { partners } from "../partners/partners.ts";

/** The members of a create operation, from its schema. Custom fields are listed separately. */
const toStandardFields = (schema: typeof LeadCreate | typeof DealCreate) =>
	Object.entries(schema.shape)
		.filter(([name]) => name !== "custom_fields")
		.map(([name, member]) => ({
			name,
			required: !member.safeParse(undefined).success,
		}));

const FIELDS = {
	lead: toStandardFields(LeadCreate),
	lead_deal: toStandardFields(DealCreate),
} as const;

type Entity = keyof typeof FIELDS;
type PartnerType = Requirements["partner_type"];

/** The custom fields of a record of this partner type, with the rules that decide on each. */
async function toCustomFields(
	category: Entity,
	partnerType: PartnerType,
	context: Context,
): Promise<Requirements["custom_fields"]> {
	const { db, caller } = context;
	const set = await loadFieldSet(db, caller.companyUuid);
	if (!set) return [];
	const { customField, customFieldRule } = db.tables;
	const scope = scopeOf(set, { category, partnerType });
	const { states } = applyRules(scope, new Map());
	const definitions = await customFields.listAll(
		context,
		and(
			eq(customField.category, category),
			or(
				isNull(customField.partnerType),
				eq(customField.partnerType, partnerType),
			),
		),
		[asc(customField.series), asc(customField.id)],
	);
	const rules = await selectRules(db)
		.where(
			and(
				eq(customFieldRule.companyUuid, caller.companyUuid),
				eq(customFieldRule.category, category),
				eq(customFieldRule.active, true),
				or(
					isNull(customFieldRule.partnerType),
					eq(customFieldRule.partnerType, partnerType),
				),
			),
		)
		.orderBy(asc(customFieldRule.id));
	return definitions.map(
		({ uuid, id, label, type, required, options, ...field }) => ({
			uuid,
			id,
			label,
			type,
			required,
			partner_type: field.partner_type,
			help_text: field.help_text,
			link: field.link,
			options,
			initially_visible: states.get(id)?.visible ?? true,
			rules: rules
				.filter(({ target }) => target.uuid === uuid)
				.map(toShownRule),
		}),
	);
}

const requirementsOf =
	(entity: Entity) =>
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
			custom_fields: await toCustomFields(entity, row.partnerType, context),
		};
	};

/** The operations that list the members a new lead or deal needs (docs/decisions.md#requirements). */
export const requirementsHandlers = {
	getLeadRequirements: requirementsOf("lead"),
	getDealRequirements: requirementsOf("lead_deal"),
} satisfies Partial<Handlers>;
