import { EVENT_IDS, type EventId } from "@partnerwire/wire";
import { z } from "zod";

/** The schema of an event id. The 19 ids themselves are in `@partnerwire/wire`. */
export const EventIdSchema = z.enum(EVENT_IDS as [EventId, ...EventId[]]);
