import type { WebhookEventStatus } from "@partnerwire/contract";
import { isUuid } from "@partnerwire/contract";
import type { EventId } from "@partnerwire/wire";
import { EVENT_IDS } from "@partnerwire/wire";
import { STATUS_LOOK } from "./delivery-status.ts";

export { isUuid };

export const WebhookEventStatusNames = Object.keys(
	STATUS_LOOK,
) as WebhookEventStatus[];

/** The filters in the address. Invalid text is no filter. */
export interface DeliveryFilters {
	status: string;
	event: string;
	record: string;
	since: string;
	until: string;
}

const instantOf = (local: string): string | undefined => {
	const time = Date.parse(local);
	return Number.isNaN(time) ? undefined : new Date(time).toISOString();
};

/** The query of the list of deliveries. */
export function toDeliveryQuery(filters: DeliveryFilters) {
	const status = WebhookEventStatusNames.find(
		(name) => name === filters.status,
	);
	const event_id: EventId | undefined = EVENT_IDS.find(
		(id) => id === filters.event,
	);
	const record_uuid = isUuid(filters.record) ? filters.record : undefined;
	const created_after = instantOf(filters.since);
	const created_before = instantOf(filters.until);
	return {
		...(status && { status }),
		...(event_id && { event_id }),
		...(record_uuid && { record_uuid }),
		...(created_after && { created_after }),
		...(created_before && { created_before }),
	};
}
