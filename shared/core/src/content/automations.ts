import {
	type AutomationCondition,
	automations as definition,
	invalidMembers,
	payloadMembersOf,
} from "@partnerwire/contract";
import type { EventId } from "@partnerwire/wire";
import { createPlain } from "../resource/create-plain.ts";

/** The member of the payload that a condition's field begins with: `stage` of `stage.label`. */
const memberOf = ({ field }: AutomationCondition) => field.split(".")[0] ?? "";

/** Automations are stored, not run (decisions §9); their conditions are about members that the trigger's payload has. */
export const automations = createPlain(definition, {
	async refuse({ conditions, triggerEventId }, row) {
		const trigger = (triggerEventId ?? row?.triggerEventId) as EventId;
		const all = (conditions ?? row?.conditions) as AutomationCondition[];
		const known = payloadMembersOf(trigger);
		const invalid = all.flatMap((condition, at) => {
			if (known.includes(memberOf(condition))) return [];
			const message = `is not a member of the payload of ${trigger}`;
			return [{ field: `body/conditions/${at}/field`, message }];
		});
		if (invalid.length > 0) throw invalidMembers(invalid);
	},
});
