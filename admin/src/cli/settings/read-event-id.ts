import { EVENT_IDS, type EventId, isEventId } from "@partnerwire/wire";
import { unknownWord } from "../suggest.ts";

/** One of the 19 event ids. Throws a `UsageError` that says which one was probably meant. */
export function readEventId(text: string): EventId {
	if (isEventId(text)) return text;
	throw unknownWord("there is no event", text, EVENT_IDS);
}
