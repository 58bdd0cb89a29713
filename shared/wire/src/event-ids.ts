/** The event groups of docs/contract.md#events and the ids in each. Exactly these 19 exist. */
export const EVENT_GROUPS = {
	Partner: [
		"partner_created",
		"partner_updated",
		"partner_contact_created",
		"partner_contact_updated",
	],
	Lead: [
		"lead_created",
		"lead_updated",
		"lead_deleted",
		"lead_note_created",
		"lead_note_updated",
		"lead_note_deleted",
	],
	Deal: [
		"deal_created",
		"deal_updated",
		"deal_deleted",
		"deal_note_created",
		"deal_note_updated",
		"deal_note_deleted",
	],
	Message: ["message_created", "message_updated", "message_deleted"],
} as const;

export type EventGroup = keyof typeof EVENT_GROUPS;
export type EventId = (typeof EVENT_GROUPS)[EventGroup][number];

/** The 19 event ids, in the contract's order. */
export const EVENT_IDS = Object.values(EVENT_GROUPS).flat() as EventId[];

/** The key that holds the record in an event's body (docs/decisions.md#body-keys). */
export type PayloadKeyOf<Id extends EventId> =
	Id extends `${string}_note_${string}`
		? "note"
		: Id extends `partner_contact_${string}`
			? "contact"
			: Id extends `partner_${string}`
				? "partnership"
				: Id extends `lead_${string}`
					? "lead"
					: Id extends `deal_${string}`
						? "deal"
						: "message";

export type PayloadKey = PayloadKeyOf<EventId>;

/** The body key of an event: `lead_note_created` → `note`. */
export function payloadKeyOf<Id extends EventId>(id: Id): PayloadKeyOf<Id> {
	const key: PayloadKey = id.includes("_note_")
		? "note"
		: id.startsWith("partner_contact_")
			? "contact"
			: id.startsWith("partner_")
				? "partnership"
				: (id.slice(0, id.indexOf("_")) as "lead" | "deal" | "message");
	return key as PayloadKeyOf<Id>;
}

/** The group of an event id. */
export function eventGroupOf(id: EventId): EventGroup {
	const groups = Object.keys(EVENT_GROUPS) as EventGroup[];
	const group = groups.find((name) =>
		(EVENT_GROUPS[name] as readonly EventId[]).includes(id),
	);
	if (!group) throw new TypeError(`unknown event id: ${id}`);
	return group;
}

/** Narrows any string to an event id. */
export function isEventId(value: string): value is EventId {
	return (EVENT_IDS as readonly string[]).includes(value);
}
