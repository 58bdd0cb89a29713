import {
	ApiError,
	type CustomFieldRule,
	type CustomFieldRuleCreate,
	type CustomFieldRuleUpdate,
	invalidMembers,
} from "@partnerwire/contract";
import { and, eq, ne } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import type { Handlers } from "../execute/handlers.ts";
import { whenEqual } from "../resource/conditions.ts";
import { createResource } from "../resource/resource.ts";
import {
	type RuleRow,
	selectRules,
	toAuditedRule,
	toShownRule,
} from "./custom-field-rule-view.ts";
import { findCycle } from "./engine/find-cycle.ts";
import { loadFieldSet } from "./engine/load-field-set.ts";
import type { Field, FieldSet } from "./engine/model.ts";
import { parseRule } from "./engine/parse-rule.ts";
import { renewVersion } from "./renew-version.ts";

type Columns = Partial<RuleRow["row"]>;

const UNKNOWN = "does not refer to a record of this account";
const OTHER_CATEGORY = "must be a custom field of the same category";

/** Finds the trigger and target of a rule. Both belong to the account and are of one category. */
function findFields(body: CustomFieldRuleCreate, { fields }: FieldSet) {
	const find = (uuid: string) => fields.find((field) => field.uuid === uuid);
	const trigger = find(body.trigger_field_uuid);
	const target = find(body.target_field_uuid);
	const category = body.category ?? target?.category;
	const problems = Object.entries({
		trigger_field_uuid: trigger,
		target_field_uuid: target,
	}).flatMap(([member, field]) => {
		if (field?.category === category && field) return [];
		const message = field ? OTHER_CATEGORY : UNKNOWN;
		return [{ field: `body/${member}`, message }];
	});
	if (problems.length > 0) throw invalidMembers(problems);
	return { trigger: trigger as Field, target: target as Field };
}

/** Converts a body to columns. Throws a 400 that names its problems. */
async function toColumns(
	body: CustomFieldRuleCreate,
	{ db, caller }: Context,
): Promise<Columns> {
	const set = await loadFieldSet(db, caller.companyUuid);
	const known = set ?? { fields: [], rules: [], country: null };
	const { trigger, target } = findFields(body, known);
	const { rule, problems } = parseRule(body, trigger, target, known);
	if (problems.length > 0) throw invalidMembers(problems);
	const toJson = (value: unknown) =>
		value === null ? null : JSON.stringify(value);
	return {
		category: target.category,
		partnerType: body.partner_type ?? null,
		active: body.active ?? true,
		kind: body.kind,
		triggerId: trigger.id,
		operator: rule.operator,
		triggerValue: toJson(rule.triggerValue),
		targetId: target.id,
		value: toJson(rule.value),
		map: toJson(rule.map),
		lock: rule.lock,
	};
}

/** Throws a 409 for an active rule that would depend on itself (docs/custom-fields.md#lock-no-other-answer). */
async function refuseCycle(
	rule: RuleRow["row"],
	{ db, caller }: Context,
): Promise<void> {
	if (!rule.active) return;
	const { customField, customFieldRule } = db.tables;
	const others = await db.query
		.select()
		.from(customFieldRule)
		.where(
			and(
				eq(customFieldRule.companyUuid, caller.companyUuid),
				eq(customFieldRule.category, rule.category),
				eq(customFieldRule.active, true),
				ne(customFieldRule.uuid, rule.uuid),
			),
		);
	const cycle = findCycle(rule, others);
	if (!cycle) return;
	const fields = await db.query
		.select({ id: customField.id, label: customField.label })
		.from(customField)
		.where(eq(customField.companyUuid, caller.companyUuid));
	const labels = new Map(fields.map(({ id, label }) => [id, `"${label}"`]));
	throw new ApiError(
		"conflict",
		`the rule closes a circle: ${cycle.map((id) => labels.get(id)).join(" → ")}`,
	);
}

const rules = createResource<RuleRow, CustomFieldRule>({
	table: "customFieldRule",
	entity: "custom_field_rule",
	noun: "custom field rule",
	select: selectRules,
	showAll: (viewed) => viewed.map(toShownRule),
	toAudited: (_, viewed) => toAuditedRule(viewed),
	refuse: (columns, viewed, context) =>
		refuseCycle({ ...viewed?.row, ...columns } as RuleRow["row"], context),
	cascade: (_, context) => renewVersion(context),
});

/** The whole rule that a PATCH asks for. Stored members that do not fit the new kind or operator are dropped. */
function toWhole(
	before: RuleRow,
	body: CustomFieldRuleUpdate,
): CustomFieldRuleCreate {
	const { kind, operator, ...rule } = toShownRule(before);
	const isKept = body.kind === undefined || body.kind === kind;
	const isAsked = body.operator === undefined || body.operator === operator;
	return {
		...rule,
		kind,
		operator,
		...(!isKept && { value: null, map: null, lock: false }),
		...(!isAsked && { trigger_value: null }),
		...Object.fromEntries(
			Object.entries(body).filter(([, value]) => value !== undefined),
		),
	};
}

/** The operations on custom field rules (docs/custom-fields.md#rules). */
export const customFieldRuleHandlers = {
	listCustomFieldRules: ({ query }, context) => {
		const { db } = context;
		const { customField, customFieldRule } = db.tables;
		const idOf = (uuid: string) =>
			db.query
				.select({ id: customField.id })
				.from(customField)
				.where(eq(customField.uuid, uuid));
		const { trigger_field_uuid: trigger, target_field_uuid: target } = query;
		return rules.list(query, context, {
			conditions: [
				whenEqual(customFieldRule.category, query.category),
				whenEqual(customFieldRule.partnerType, query.partner_type),
				trigger ? eq(customFieldRule.triggerId, idOf(trigger)) : undefined,
				target ? eq(customFieldRule.targetId, idOf(target)) : undefined,
				whenEqual(customFieldRule.active, query.active),
			],
		});
	},

	getCustomFieldRule: async ({ params }, context) =>
		toShownRule(await rules.read(params.uuid, context)),

	createCustomFieldRule: async ({ body }, context) =>
		rules.create(await toColumns(body, context), context),

	updateCustomFieldRule: async ({ params, body }, context) => {
		const viewed = await rules.read(params.uuid, context);
		const columns = await toColumns(toWhole(viewed, body), context);
		return rules.change(viewed, columns, context);
	},

	deleteCustomFieldRule: async ({ params }, context) =>
		rules.remove(await rules.read(params.uuid, context), context),
} satisfies Partial<Handlers>;
