import type { EventId, WebhookClaims } from "@partnerwire/wire";
import { findEntity, listIssues, toEntityRef } from "../body/entity.ts";
import type { Delivery } from "../handle/context.ts";
import type { InboxEvent, InboxItem } from "./inbox-store.ts";

/** The parts of a delivery that are stored beside its body. */
interface Envelope {
	claims: WebhookClaims;
	bodyBound: boolean;
	tokenReused: boolean;
	secretIndex: number;
	/** Had a framework's parser taken the body, so that the original bytes are lost? */
	isParsed: boolean;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Converts a delivery into the row that is stored. */
export function toStoredDelivery({
	claims,
	body,
	state,
}: Delivery): Pick<InboxEvent, "eventId" | "body" | "envelope"> {
	const envelope: Envelope = {
		claims,
		bodyBound: state.bodyBound === true,
		tokenReused: state.tokenReused === true,
		secretIndex: state.secretIndex ?? 0,
		isParsed: body.text === undefined,
	};
	return {
		eventId: claims.event_id,
		body: body.text ?? decoder.decode(body.bytes),
		envelope: JSON.stringify(envelope),
	};
}

/** Converts a stored row back into its delivery. Throws if `toStoredDelivery` has not written the row. */
export function fromStoredDelivery(item: InboxItem): Delivery {
	const { claims, isParsed, ...checks } = JSON.parse(item.envelope) as Envelope;
	const eventId = item.eventId as EventId;
	const value = JSON.parse(item.body) as Record<string, unknown>;
	const entity = findEntity(eventId, value);
	if (!entity) throw new Error("the stored body lacks its entity");
	return {
		eventId,
		claims,
		body: {
			bytes: encoder.encode(item.body),
			text: isParsed ? undefined : item.body,
			value,
			canonical: "",
		},
		entity,
		issues: listIssues(entity, value.configuration),
		state: {
			...checks,
			startedMs: performance.now(),
			fingerprint: item.fingerprint,
			eventId,
			claims,
			entity: toEntityRef(entity),
		},
	};
}
