import type { EventId } from "@partnerwire/wire";
import { EVENT_GROUPS, EVENT_IDS } from "@partnerwire/wire";

/** `lead_note_created` → "Lead note created". */
export const toEventLabel = (id: string): string =>
	(id.charAt(0).toUpperCase() + id.slice(1)).replaceAll("_", " ");

/** The groups with their events, for a form. */
export const eventGroups = Object.entries(EVENT_GROUPS).map(([label, ids]) => ({
	label,
	ids: ids as readonly EventId[],
}));

/** The events for a select. */
export const eventItems = EVENT_IDS.map((id) => ({
	label: toEventLabel(id),
	value: id,
}));

/** "All 19 events", "3 of 19 events", "No events". */
export function toEventSummary(ids: readonly EventId[]): string {
	if (ids.length === EVENT_IDS.length) return `All ${ids.length} events`;
	return ids.length === 0
		? "No events"
		: `${ids.length} of ${EVENT_IDS.length} events`;
}
