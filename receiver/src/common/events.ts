import {
	EVENT_GROUPS,
	type EventGroup,
	type EventId,
	isEventId,
} from "@partnerwire/wire";
import { ReceiverConfigError } from "./config-error.ts";

/** The 19 event ids by group (docs/contract.md#events). */
export const EVENTS: Readonly<Record<EventGroup, readonly EventId[]>> =
	EVENT_GROUPS;

/** A selector of `on`: an event id, a group or every event. */
export type EventSelector = EventId | EventGroup | "*";

/** The event ids that a selector stands for. An unknown name throws, so that a typing mistake cannot lose events. */
export function parseSelector(
	selector: EventSelector | readonly EventSelector[],
): readonly EventId[] {
	const names: readonly string[] =
		typeof selector === "string" ? [selector] : selector;
	const ids = names.flatMap((name): readonly EventId[] => {
		if (name === "*") return Object.values(EVENTS).flat();
		if (Object.hasOwn(EVENTS, name)) return EVENTS[name as EventGroup];
		if (isEventId(name)) return [name];
		throw new ReceiverConfigError(
			"CONFIG_EVENT",
			`on(): "${name}" is no event id, no group (${Object.keys(EVENTS).join(", ")}) and not "*".`,
		);
	});
	return [...new Set(ids)];
}
