import type { ReplayableStatus } from "@partnerwire/contract";
import type { EventId } from "@partnerwire/wire";
import { EVENT_IDS } from "@partnerwire/wire";
import { fromLocalInput } from "./format.ts";

export interface ReplayForm {
	statuses: ReplayableStatus[];
	/** The text of a `datetime-local` field. */
	since: string;
	until: string;
	event_ids: EventId[];
	rate_per_second: number;
	fresh: boolean;
}

export const newReplayForm = (): ReplayForm => ({
	statuses: ["failed"],
	since: "",
	until: "",
	event_ids: [...EVENT_IDS],
	rate_per_second: 50,
	fresh: false,
});

/** The form as the members of a request. */
export const fromReplayForm = ({ since, until, ...rest }: ReplayForm) => ({
	...rest,
	since: fromLocalInput(since),
	until: fromLocalInput(until),
});
