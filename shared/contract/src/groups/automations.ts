import { z } from "zod";
import {
	AutomationAction,
	AutomationCondition,
} from "../resources/automation.ts";
import { EventIdSchema } from "../resources/event-id.ts";
import { definePlain } from "../table/plain.ts";
import { requiredLine } from "../table/text.ts";

const AutomationStatus = z.enum(["draft", "active", "paused"]);

/** Automations: stored, but not run (docs/decisions.md#left-out-on-purpose-for-now). */
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
