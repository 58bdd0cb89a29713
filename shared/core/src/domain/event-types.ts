import {
	EVENT_IDS,
	type EventId,
	type EventType,
	eventGroupOf,
	eventJsonSchema,
	payloadKeyOf,
} from "@partnerwire/contract";
import type { Handlers } from "../execute/handlers.ts";
import { toPage } from "./list-page.ts";

const toLabel = (id: EventId) =>
	id.replaceAll("_", " ").replace(/^./, (first) => first.toUpperCase());

let types: EventType[] | undefined;

/** Made when they are first asked for: the schemas take a few milliseconds, which a start need not wait for. */
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

/** The kinds of events. */
export const eventTypeHandlers = {
	listEventTypes: async ({ query }) => toPage(eventTypes(), query),
} satisfies Partial<Handlers>;
