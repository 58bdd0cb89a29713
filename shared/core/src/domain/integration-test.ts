import { invalidMembers, payloadKeyOf } from "@partnerwire/contract";
import { defineActionHandler, type SomeHandlers } from "../execute/handlers.ts";
import type { WebhookRequest } from "../ports.ts";
import { openIntegration } from "../secrets/integration-secrets.ts";
import { readIntegration } from "./integration-view.ts";
import { toIso } from "./times.ts";

/** Sends one webhook now, paused or not, and answers the whole attempt; nothing of it enters the queue. */
export const integrationTestHandlers: SomeHandlers<"testIntegration"> = {
	testIntegration: defineActionHandler("testIntegration", {
		async plan({ params, body }, context): Promise<WebhookRequest> {
			const { row, configuration } = await readIntegration(
				params.integration_id,
				context,
			);
			const key = payloadKeyOf(body.event_id);
			const given = body.payload ?? context.ports.fixtureOf(body.event_id);
			const entity = given[key];
			if (typeof entity !== "object" || entity === null) {
				throw invalidMembers([
					{
						field: "body/payload",
						message: `must hold the entity under "${key}"`,
					},
				]);
			}
			const now = toIso(context.nowMs);
			const fresh = body.exact
				? {}
				: { uuid: context.newUuid(), created_at: now, updated_at: now };
			return {
				...openIntegration(row, context.cipher, context.nowMs),
				eventId: body.event_id,
				userUuid: context.caller.userUuid,
				deliveryUuid: context.newUuid(),
				sequence: null,
				entity: JSON.stringify({ ...entity, ...fresh }),
				configuration: body.payload?.configuration
					? JSON.stringify(body.payload.configuration)
					: configuration,
			};
		},
		perform: (request, ports) => ports.deliverOnce(request),
		async settle(result) {
			return { result, changes: [] };
		},
	}),
};
