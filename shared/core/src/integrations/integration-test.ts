import { hash } from "node:crypto";
import { type Integration, invalidMembers } from "@partnerwire/contract";
import { payloadKeyOf } from "@partnerwire/wire";
import type { Change } from "../context/change.ts";
import type { WebhookRequest } from "../context/ports.ts";
import { MAX_PAYLOAD_BYTES } from "../delivery/emit/emit-event.ts";
import { defineActionHandler, type Handlers } from "../execute/handlers.ts";
import { openIntegration } from "../secrets/integration-secrets.ts";
import { toIso } from "../values/times.ts";
import { readIntegration, toIntegration } from "./integration-view.ts";

const invalidPayload = (message: string) =>
	invalidMembers([{ field: "body/payload", message }]);

/** Finds the JSON escape of NUL or of a lone surrogate. An escaped backslash before `u` is not one. */
const NUL_OR_LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** Refuses a payload that no event could have (docs/decisions.md#size, docs/decisions.md#text). */
function checkPayload(payload: object): void {
	const json = JSON.stringify(payload);
	if (Buffer.byteLength(json) > MAX_PAYLOAD_BYTES)
		throw invalidPayload(`must have at most ${MAX_PAYLOAD_BYTES} bytes`);
	if (NUL_OR_LONE_SURROGATE.test(json))
		throw invalidPayload(
			"must not contain the NUL character or a lone surrogate",
		);
}

/** The audit entry of a payload of the caller's own, which the integration's secret has signed. */
function toTested(
	integration: Integration,
	eventId: string,
	body: string,
): Change {
	const added = (field: string, value: string) => ({
		entity: "integration",
		field,
		old: null,
		new: value,
		label: field.replaceAll("_", " "),
		ref_uuid: null,
	});
	return {
		entity: "integration",
		uuid: integration.id,
		action: "tested",
		before: integration,
		after: integration,
		also: [
			added("event_id", eventId),
			added("payload_sha256", hash("sha256", body, "base64url")),
		],
	};
}

/**
 * Sends one test webhook now, paused or not, and returns the whole attempt (docs/decisions.md#test-webhook). Nothing
 * enters the queue. With a payload of the caller's own it is audited, as showing the secret is.
 */
export const integrationTestHandlers = {
	testIntegration: defineActionHandler("testIntegration", {
		async plan({ params, body }, context) {
			const found = await readIntegration(params.integration_id, context);
			const { row, configuration } = found;
			if (body.payload) checkPayload(body.payload);
			const key = payloadKeyOf(body.event_id);
			const payload = body.payload ?? context.ports.fixtureOf(body.event_id);
			const entity = payload[key];
			if (typeof entity !== "object" || entity === null) {
				throw invalidPayload(`must hold the entity under "${key}"`);
			}
			const now = toIso(context.nowMs);
			const fresh = body.exact
				? {}
				: { uuid: context.newUuid(), created_at: now, updated_at: now };
			const request: WebhookRequest = {
				...openIntegration(row, context.cipher, context.nowMs),
				eventId: body.event_id,
				userUuid: context.caller.userUuid,
				uuid: context.newUuid(),
				sequence: null,
				entity: JSON.stringify({ ...entity, ...fresh }),
				configuration: body.payload?.configuration
					? JSON.stringify(body.payload.configuration)
					: configuration,
			};
			return { request, signedFor: body.payload ? toIntegration(found) : null };
		},
		perform: ({ request }, ports) => ports.deliverOnce(request),
		async finish(result, { request, signedFor }) {
			const changes = signedFor
				? [toTested(signedFor, request.eventId, result.request.body)]
				: [];
			return { result, changes };
		},
	}),
} satisfies Partial<Handlers>;
