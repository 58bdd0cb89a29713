import { EVENT_IDS, type EventId, isEventId } from "@partnerwire/wire";
import { unknownWord } from "../suggest.ts";

/** Reads one of the 19 event ids. Throws a `UsageError` that suggests the nearest one. */
export function readEventId(text: string): EventId {
	if (isEventId(text)) return text;
	throw unknownWord("there is no event", text, EVENT_IDS);
}
