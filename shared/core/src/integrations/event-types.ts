import { type EventType, eventJsonSchema } from "@partnerwire/contract";
import {
	EVENT_IDS,
	type EventId,
	eventGroupOf,
	payloadKeyOf,
} from "@partnerwire/wire";
import type { Handlers } from "../execute/handlers.ts";
import { toPage } from "../resource/list-page.ts";

const toLabel = (id: EventId) =>
	id.replaceAll("_", " ").replace(/^./, (first) => first.toUpperCase());

let types: EventType[] | undefined;

/** The event types, built on first use: the schemas take a few milliseconds, for which a start should not wait. */
const eventTypes = (): EventType[] => {
	types ??= EVENT_IDS.map((id) => ({
		id,
		group: eventGroupOf(id),
		label: toLabel(id),
		payload_key: payloadKeyOf(id),
		schema: eventJsonSchema(id),
	}));
	return types;
};

/** The handlers of event types. */
export const eventTypeHandlers = {
	listEventTypes: async ({ query }) => toPage(eventTypes(), query),
} satisfies Partial<Handlers>;
