import type { EventGroup, EventId, PayloadKey } from "@partnerwire/wire";
import { ReceiverConfigError } from "./config-error.ts";

/**
 * The contract's 19 event ids by group (docs/contract.md#events). They are repeated here because the contract package imports zod,
 * which must not reach an edge bundle. `test/configuration.test.ts` holds both equal.
 */
export const EVENTS: Readonly<Record<EventGroup, readonly EventId[]>> = {
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
};

const KNOWN: ReadonlySet<string> = new Set(Object.values(EVENTS).flat());

/** A selector of `on`: an event id, a group or every event. */
export type EventSelector = EventId | EventGroup | "*";

/** Narrows any claim to one of the 19 event ids. */
export function isKnownEvent(id: string): id is EventId {
	return KNOWN.has(id);
}

/** The event ids that a selector stands for. An unknown name throws, so that a typing mistake cannot lose events. */
export function parseSelector(
	selector: EventSelector | readonly EventSelector[],
): readonly EventId[] {
	const names: readonly string[] =
		typeof selector === "string" ? [selector] : selector;
	const ids = names.flatMap((name): readonly EventId[] => {
		if (name === "*") return Object.values(EVENTS).flat();
		if (Object.hasOwn(EVENTS, name)) return EVENTS[name as EventGroup];
		if (isKnownEvent(name)) return [name];
		throw new ReceiverConfigError(
			"CONFIG_EVENT",
			`on(): "${name}" is no event id, no group (${Object.keys(EVENTS).join(", ")}) and not "*".`,
		);
	});
	return [...new Set(ids)];
}

/** The body key of an event (docs/decisions.md#body-keys), equal to the contract's `payloadKeyOf`. */
export function toPayloadKey(id: EventId): PayloadKey {
	if (id.includes("_note_")) return "note";
	if (id.startsWith("partner_contact_")) return "contact";
	if (id.startsWith("partner_")) return "partnership";
	return id.slice(0, id.indexOf("_")) as PayloadKey;
}
