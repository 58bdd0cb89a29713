import * as z from "zod";
import { definePlain } from "../table/plain.ts";
import { EventIdSchema } from "../table/references.ts";
import { requiredLine, text } from "../table/text.ts";

/* Automations, their conditions and actions. They are stored, but not run (docs/decisions.md#left-out-on-purpose-for-now). */

const isExact = (value: number) =>
	!Number.isInteger(value) || Number.isSafeInteger(value);
const scalar = z.union([
	text(1000),
	z.number().refine(isExact, { error: "must be a safe integer" }),
	z.boolean(),
]);

/** The shape of a condition's value, by its operator. */
const VALUES = {
	equals: scalar,
	not_equals: scalar,
	contains: text(1000),
	greater_than: z.union([text(64), z.number()]),
	less_than: z.union([text(64), z.number()]),
	in: z.array(scalar).min(1).max(50),
	is_blank: z.null(),
	is_not_blank: z.null(),
} as const;
type Operator = keyof typeof VALUES;
const OPERATORS = Object.keys(VALUES) as [Operator, ...Operator[]];

/** A condition on a member of the trigger's payload: `stage.label`. */
export const AutomationCondition = z
	.object({
		field: requiredLine(128),
		operator: z.enum(OPERATORS),
		value: z.union([scalar, z.array(scalar).max(50), z.null()]).default(null),
	})
	.refine(({ operator, value }) => VALUES[operator].safeParse(value).success, {
		error: "must be what the operator compares with",
		path: ["value"],
	})
	.meta({
		examples: [{ field: "stage.label", operator: "equals", value: "Active" }],
	});
export type AutomationCondition = z.infer<typeof AutomationCondition>;

/** An action with its settings. They are an open set, because nothing runs actions yet. */
export const AutomationAction = z.object({
	type: z.enum([
		"create_task",
		"send_email",
		"add_tag",
		"set_stage",
		"assign_user",
		"notify_user",
	]),
	settings: z
		.array(z.object({ id: requiredLine(64), value: scalar }))
		.max(20)
		.default([]),
});
export type AutomationAction = z.infer<typeof AutomationAction>;

const AutomationStatus = z.enum(["draft", "active", "paused"]);

export const automations = definePlain({
	noun: "Automation",
	plural: "Automations",
	path: "/v1/automations",
	name: "name",
	removal: "delete",
	mandatory: {
		name: requiredLine(),
		trigger_event_id: EventIdSchema,
		actions: z.array(AutomationAction).min(1).max(20),
	},
	optional: {
		conditions: z.array(AutomationCondition).max(20),
		status: AutomationStatus,
	},
	defaults: { conditions: [], status: "draft" },
	filters: {
		status: AutomationStatus.optional(),
		trigger_event_id: EventIdSchema.optional(),
	},
});
