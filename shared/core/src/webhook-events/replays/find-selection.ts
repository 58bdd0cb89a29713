import { invalidMembers } from "@partnerwire/contract";
import type { EventId } from "@partnerwire/wire";
import { and, eq, isNull } from "drizzle-orm";
import type { Context } from "../../context/context.ts";
import type { DeliveryState } from "../../db/tables/webhooks.ts";
import type { Selection } from "../../delivery/replay/selection.ts";
import type { StoredIntegration } from "../../secrets/integration-secrets.ts";
import { fromIso } from "../../values/times.ts";

/** The members that the bodies of replays and purges share. */
interface Selecting {
	readonly integration_id: string;
	readonly since: string | null;
	readonly until: string | null;
	readonly event_ids: readonly EventId[];
}

export interface FoundSelection {
	readonly integration: StoredIntegration;
	readonly selection: Selection;
}

/** The deliveries that a body selects, up to the newest one now. Throws 400 if the integration is not the caller's. */
export async function findSelection(
	body: Selecting,
	states: readonly DeliveryState[],
	{ db, caller }: Context,
): Promise<FoundSelection> {
	const { integration } = db.tables;
	const [found] = await db.query
		.select()
		.from(integration)
		.where(
			and(
				eq(integration.uuid, body.integration_id.toLowerCase()),
				eq(integration.companyUuid, caller.companyUuid),
				isNull(integration.deletedAt),
			),
		);
	if (!found)
		throw invalidMembers([
			{ field: "body/integration_id", message: "there is no such integration" },
		]);
	return {
		integration: found,
		selection: {
			integrationId: found.id,
			states,
			eventIds: body.event_ids,
			sinceAt: fromIso(body.since),
			untilAt: fromIso(body.until),
			endSequence: found.sequence,
		},
	};
}
