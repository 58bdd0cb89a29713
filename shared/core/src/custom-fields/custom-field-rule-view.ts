import type { CustomFieldRule } from "@partnerwire/contract";
import { eq } from "drizzle-orm";
import { alias } from "../db/alias.ts";
import type { Db } from "../db/db.ts";
import { toTimes } from "../values/times.ts";

/** Selects rules with their trigger and target fields. */
export const selectRules = ({
	query,
	tables: { customField, customFieldRule },
}: Db) => {
	const trigger = alias(customField, "trigger");
	const target = alias(customField, "target");
	return query
		.select({
			row: customFieldRule,
			trigger: { uuid: trigger.uuid, label: trigger.label },
			target: { uuid: target.uuid, label: target.label },
		})
		.from(customFieldRule)
		.innerJoin(trigger, eq(trigger.id, customFieldRule.triggerId))
		.innerJoin(target, eq(target.id, customFieldRule.targetId))
		.$dynamic();
};

export type RuleRow = Awaited<ReturnType<typeof selectRules>>[number];

const fromJson = (json: string | null): unknown =>
	json === null ? null : JSON.parse(json);

export const toShownRule = ({
	row,
	trigger,
	target,
}: RuleRow): CustomFieldRule => ({
	uuid: row.uuid,
	category: row.category,
	partner_type: row.partnerType,
	active: row.active,
	kind: row.kind,
	trigger_field_uuid: trigger.uuid,
	operator: row.operator,
	trigger_value: fromJson(row.triggerValue),
	target_field_uuid: target.uuid,
	value: fromJson(row.value),
	map: row.map === null ? null : Object.fromEntries(JSON.parse(row.map)),
	lock: row.lock,
	...toTimes(row),
});

/** A rule as the audit log shows it: with the labels of its fields (docs/contract.md#versioning). */
export function toAuditedRule(viewed: RuleRow) {
	const { trigger_field_uuid, target_field_uuid, ...rule } =
		toShownRule(viewed);
	const { trigger, target } = viewed;
	return { ...rule, trigger_field: trigger, target_field: target };
}
