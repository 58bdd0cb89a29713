import {
	ApiError,
	type CustomFieldRuleCreate,
	type CustomFieldRuleUpdate,
	invalidMembers,
	notFound,
} from "@partnerwire/contract";
import { and, eq, ne } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import { insertRow, type NewRowOf } from "../db/insert-row.ts";
import type { Handlers, Outcome } from "../execute/handlers.ts";
import { whenEqual } from "../resource/conditions.ts";
import { listPage } from "../resource/list-page.ts";
import { toChangedColumns } from "../resource/patch.ts";
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

type Columns = Omit<
	NewRowOf<"customFieldRule">,
	"uuid" | "companyUuid" | "createdAt" | "updatedAt"
>;

async function readRule(uuid: string, { db, caller }: Context) {
	const { customFieldRule } = db.tables;
	const [found] = await selectRules(db).where(
		and(
			eq(customFieldRule.uuid, uuid),
			eq(customFieldRule.companyUuid, caller.companyUuid),
		),
	);
	if (!found) throw notFound("custom field rule");
	return found;
}

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
	columns: Columns,
	ownUuid: string,
	{ db, caller }: Context,
): Promise<void> {
	if (!columns.active) return;
	const { customField, customFieldRule } = db.tables;
	const others = await db.query
		.select()
		.from(customFieldRule)
		.where(
			and(
				eq(customFieldRule.companyUuid, caller.companyUuid),
				eq(customFieldRule.category, columns.category),
				eq(customFieldRule.active, true),
				ne(customFieldRule.uuid, ownUuid),
			),
		);
	const { triggerId, targetId, partnerType = null } = columns;
	const cycle = findCycle({ triggerId, targetId, partnerType }, others);
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

const toChange = (
	action: "created" | "updated" | "deleted",
	before: RuleRow | null,
	after: RuleRow | null,
) => ({
	entity: "custom_field_rule",
	uuid: (after ?? (before as RuleRow)).row.uuid,
	action,
	before: before && toAuditedRule(before),
	after: after && toAuditedRule(after),
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
	listCustomFieldRules: ({ query }, { db, caller }) => {
		const { customField, customFieldRule } = db.tables;
		const idOf = (uuid: string) =>
			db.query
				.select({ id: customField.id })
				.from(customField)
				.where(eq(customField.uuid, uuid));
		const { trigger_field_uuid: trigger, target_field_uuid: target } = query;
		return listPage(db, query, {
			table: customFieldRule,
			query: selectRules(db),
			conditions: [
				eq(customFieldRule.companyUuid, caller.companyUuid),
				whenEqual(customFieldRule.category, query.category),
				whenEqual(customFieldRule.partnerType, query.partner_type),
				trigger && eq(customFieldRule.triggerId, idOf(trigger)),
				target && eq(customFieldRule.targetId, idOf(target)),
				query.active === undefined
					? undefined
					: eq(customFieldRule.active, query.active),
			].map((condition) => condition || undefined),
			toItems: (rows) => rows.map(toShownRule),
		});
	},

	getCustomFieldRule: async ({ params }, context) =>
		toShownRule(await readRule(params.uuid, context)),

	createCustomFieldRule: async ({ body }, context) => {
		const { db, caller, nowMs } = context;
		const columns = await toColumns(body, context);
		const uuid = context.newUuid();
		await refuseCycle(columns, uuid, context);
		await insertRow(db, "customFieldRule", {
			...columns,
			uuid,
			companyUuid: caller.companyUuid,
			createdAt: nowMs,
			updatedAt: nowMs,
		});
		await renewVersion(context);
		const after = await readRule(uuid, context);
		const changes = [toChange("created", null, after)];
		return { result: toShownRule(after), changes };
	},

	updateCustomFieldRule: async ({ params, body }, context) => {
		const before = await readRule(params.uuid, context);
		const columns = await toColumns(toWhole(before, body), context);
		const changed = toChangedColumns<object>(before.row, columns);
		if (!changed) return { result: toShownRule(before), changes: [] };
		await refuseCycle(columns, params.uuid, context);
		const { customFieldRule } = context.db.tables;
		await context.db.query
			.update(customFieldRule)
			.set({ ...changed, updatedAt: context.nowMs })
			.where(eq(customFieldRule.uuid, params.uuid));
		await renewVersion(context);
		const after = await readRule(params.uuid, context);
		const changes = [toChange("updated", before, after)];
		return { result: toShownRule(after), changes };
	},

	deleteCustomFieldRule: async (
		{ params },
		context,
	): Promise<Outcome<{ success: true }>> => {
		const before = await readRule(params.uuid, context);
		const { customFieldRule } = context.db.tables;
		await context.db.query
			.delete(customFieldRule)
			.where(eq(customFieldRule.uuid, params.uuid));
		await renewVersion(context);
		const changes = [toChange("deleted", before, null)];
		return { result: { success: true }, changes };
	},
} satisfies Partial<Handlers>;
