import {
	ApiError,
	type EventSubscription,
	notFound,
} from "@partnerwire/contract";
import { EVENT_IDS, type EventId } from "@partnerwire/wire";
import { and, asc, desc, eq, isNull } from "drizzle-orm";
import type { Change } from "../context/change.ts";
import type { Context } from "../context/context.ts";
import type { RowOf } from "../db/insert-row.ts";
import { lockIntegration } from "../delivery/sql/lock-integrations.ts";
import type { Handlers } from "../execute/handlers.ts";
import { toPage } from "../resource/list-page.ts";
import { createReferences } from "../resource/references.ts";
import { defineDerivedUuid } from "../values/derived-uuid.ts";
import { readIntegration } from "./integration-view.ts";
import { changeIntegration } from "./integrations.ts";

/**
 * The uuids of subscriptions, which have no rows of their own: the active ones are the integration's `event_ids`
 * (docs/decisions.md#event-subscriptions).
 */
const uuids = defineDerivedUuid("9");

type IntegrationIds = Pick<
	RowOf<"integration">,
	"id" | "uuid" | "createdAt" | "eventIds" | "inactiveEventIds"
>;

/** The subscriptions of an integration. An event's number is its place among the 19 events, which never changes. */
const toSubscriptions = (row: IntegrationIds): EventSubscription[] =>
	EVENT_IDS.flatMap((event_id, number) => {
		const active = row.eventIds.includes(event_id);
		if (!active && !row.inactiveEventIds?.includes(event_id)) return [];
		const uuid = uuids.to(row, number);
		return [{ uuid, integration_id: row.uuid, event_id, active }];
	});

const selectIntegrations = (
	{ db, caller }: Context,
	integrationUuid?: string,
) => {
	const { integration } = db.tables;
	return db.query
		.select()
		.from(integration)
		.where(
			and(
				eq(integration.companyUuid, caller.companyUuid),
				isNull(integration.deletedAt),
				integrationUuid ? eq(integration.uuid, integrationUuid) : undefined,
			),
		)
		.orderBy(desc(integration.createdAt), asc(integration.uuid));
};

async function read(
	uuid: string,
	{ db, caller }: Context,
): Promise<EventSubscription> {
	const named = uuids.from(uuid);
	const { integration } = db.tables;
	const [row] = named
		? await db.query
				.select()
				.from(integration)
				.where(
					and(
						eq(integration.id, named.id),
						eq(integration.companyUuid, caller.companyUuid),
						isNull(integration.deletedAt),
					),
				)
		: [];
	const found =
		row &&
		toSubscriptions(row).find((subscription) => subscription.uuid === uuid);
	if (!found) throw notFound("event subscription");
	return found;
}

const withEvent = (ids: readonly EventId[], id: EventId, isIn: boolean) =>
	EVENT_IDS.filter((eventId) =>
		eventId === id ? isIn : ids.includes(eventId),
	);

/** Writes the change of a subscription; null means that there is none. */
async function write(
	before: EventSubscription | null,
	after: EventSubscription | null,
	context: Context,
): Promise<Change[]> {
	const { integration_id, event_id } = (after ?? before) as EventSubscription;
	// Locked before reading. A change without the company's scope, such as an automatic pause, counts the version up, and
	// would otherwise be overwritten.
	await lockIntegration(context.db, integration_id);
	const found = await readIntegration(integration_id, context);
	const { eventIds, inactiveEventIds } = found.row;
	const columns = {
		eventIds: withEvent(eventIds, event_id, after?.active === true),
		inactiveEventIds: withEvent(
			inactiveEventIds ?? [],
			event_id,
			after?.active === false,
		),
	};
	const { changes } = await changeIntegration(found, columns, context);
	const { uuid = "" } = after ?? before ?? {};
	const action = !before ? "created" : after ? "updated" : "deleted";
	const change = { entity: "event_subscription", uuid, action, before, after };
	// A change of the received events is a change of the integration too.
	const isReceived = columns.eventIds.length !== eventIds.length;
	return [change, ...(isReceived ? changes : [])];
}

/** The handlers of event subscriptions. */
export const eventSubscriptionHandlers = {
	listEventSubscriptions: async ({ query }, context) => {
		const { event_id, active } = query;
		const rows = await selectIntegrations(context, query.integration_id);
		const wanted = rows
			.flatMap(toSubscriptions)
			.filter((item) => event_id === undefined || item.event_id === event_id)
			.filter((item) => active === undefined || item.active === active);
		return toPage(wanted, query);
	},

	getEventSubscription: ({ params }, context) => read(params.uuid, context),

	createEventSubscription: async ({ body }, context) => {
		const references = createReferences(context);
		const integration = await references.find(
			"integration",
			"integration_id",
			body.integration_id,
			({ deletedAt }) => deletedAt === null,
		);
		references.refuseInvalid();
		const { event_id, active } = body;
		const others = toSubscriptions(integration);
		if (others.some((other) => other.event_id === event_id))
			throw new ApiError(
				"conflict",
				`the integration "${integration.label}" has a subscription to ${event_id} already`,
			);
		const uuid = uuids.to(integration, EVENT_IDS.indexOf(event_id));
		const integration_id = integration.uuid;
		const result = { uuid, integration_id, event_id, active };
		return { result, changes: await write(null, result, context) };
	},

	updateEventSubscription: async ({ params, body }, context) => {
		const before = await read(params.uuid, context);
		const { active = before.active } = body;
		if (active === before.active) return { result: before, changes: [] };
		const after = { ...before, active };
		return { result: after, changes: await write(before, after, context) };
	},

	deleteEventSubscription: async ({ params }, context) => {
		const before = await read(params.uuid, context);
		const changes = await write(before, null, context);
		return { result: { success: true }, changes };
	},
} satisfies Partial<Handlers>;
