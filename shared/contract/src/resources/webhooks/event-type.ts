import { EVENT_GROUPS, type EventGroup } from "@partnerwire/wire";
import * as z from "zod";
import { pageOf, pageQuery } from "../../table/list-query.ts";
import { defineRead } from "../../table/operation.ts";
import { EventIdSchema } from "../../table/references.ts";

/** One of the 19 kinds of events: the key of its record in the body, and the body's JSON Schema. */
export const EventType = z.object({
	id: EventIdSchema,
	group: z.enum(Object.keys(EVENT_GROUPS) as [EventGroup, ...EventGroup[]]),
	label: z.string(),
	payload_key: z.string(),
	schema: z.record(z.string(), z.unknown()),
});
export type EventType = z.infer<typeof EventType>;

export const eventTypeOperations = {
	listEventTypes: defineRead({
		group: "Event Types",
		path: "/v1/event-types",
		summary: "List the kinds of events, in the specification's order",
		query: z.object(pageQuery),
		response: pageOf(EventType),
	}),
};
