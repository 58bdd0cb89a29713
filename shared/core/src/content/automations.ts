import {
	type AutomationCondition,
	automations as definition,
	invalidMembers,
	payloadMembersOf,
} from "@partnerwire/contract";
import type { EventId } from "@partnerwire/wire";
import { createPlain } from "../resource/create-plain.ts";

/** The payload member at the start of a condition's field: `stage` of `stage.label`. */
const memberOf = ({ field }: AutomationCondition) => field.split(".")[0] ?? "";

/** Automations are stored, never run (docs/decisions.md#automations). Conditions name members of the payload. */
export const automations = createPlain(definition, {
	async refuse({ conditions, triggerEventId }, viewed) {
		const row = viewed?.row;
		const trigger = (triggerEventId ?? row?.triggerEventId) as EventId;
		const toCheck = (conditions ?? row?.conditions) as AutomationCondition[];
		const known = payloadMembersOf(trigger);
		const invalid = toCheck.flatMap((condition, at) => {
			if (known.includes(memberOf(condition))) return [];
			const message = `is not a member of the payload of ${trigger}`;
			return [{ field: `body/conditions/${at}/field`, message }];
		});
		if (invalid.length > 0) throw invalidMembers(invalid);
	},
});
