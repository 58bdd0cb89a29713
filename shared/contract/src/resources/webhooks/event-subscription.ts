import * as z from "zod";
import { crud } from "../../table/crud.ts";
import { queryBoolean } from "../../table/list-query.ts";
import { EventIdSchema } from "../../table/references.ts";
import { Uuid } from "../../table/uuid.ts";

/** A subscription to an event. The active ones are the integration's `event_ids` (docs/decisions.md#event-subscription). */
export const EventSubscription = z.object({
	uuid: z.string(),
	integration_id: z.string(),
	event_id: EventIdSchema,
	active: z.boolean(),
});
export type EventSubscription = z.infer<typeof EventSubscription>;

export const eventSubscriptionOperations = crud({
	noun: "EventSubscription",
	plural: "EventSubscriptions",
	removal: "delete",
	path: "/v1/event-subscriptions",
	item: EventSubscription,
	create: z.object({
		integration_id: Uuid,
		event_id: EventIdSchema,
		active: z.boolean().default(true),
	}),
	update: z.object({ active: z.boolean() }).partial(),
	filters: {
		integration_id: Uuid.optional(),
		event_id: EventIdSchema.optional(),
		active: queryBoolean().optional(),
	},
	emits: { create: [], update: [], remove: [] },
});
