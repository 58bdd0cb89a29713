import { EVENT_IDS, type EventId } from "@partnerwire/wire";
import { z } from "zod";

/** One of the 19 event ids, as a member; the ids themselves are plain data. */
export const EventIdSchema = z.enum(EVENT_IDS as [EventId, ...EventId[]]);
