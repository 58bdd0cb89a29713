import type { EventId, WebhookClaims } from "@partnerwire/contract";
import {
	readAuthorisation,
	readConfiguration,
	toUniqueKey,
} from "./configuration.ts";
import type { EventContext } from "./context-types.ts";
import type { Entity } from "./entity.ts";
import type { Facts } from "./facts.ts";
import type { Claim } from "./once.ts";
import type { ReadBody } from "./read-body.ts";

/** What is known of a delivery when its handlers are about to run. */
export interface Delivery {
	eventId: EventId;
	claims: WebhookClaims;
	body: ReadBody;
	entity: Entity;
	issues: readonly string[];
	facts: Facts;
}

/** Builds a handler's context; what costs something and is rarely read is computed when it is read. */
export function createContext(
	delivery: Delivery,
	claim: Claim,
): { context: EventContext; abort: () => void } {
	const { claims, body, entity, facts } = delivery;
	const { configuration } = body.value;
	let controller: AbortController | undefined;
	let isLate = false;
	const abort = (): void => {
		isLate = true;
		controller?.abort(
			new DOMException("The webhook's deadline has passed.", "TimeoutError"),
		);
	};
	const context = {
		eventId: delivery.eventId,
		claims,
		config: (id: string) => readConfiguration(configuration, id),
		get uniqueKey() {
			return entity.key === "lead"
				? toUniqueKey(entity.value, configuration)
				: undefined;
		},
		authorisation: (id: string) =>
			readAuthorisation(claims.external_settings, id),
		rawBody: body.bytes,
		bodySource: body.text === undefined ? "parsed" : "raw",
		bodyBound: facts.bodyBound === true,
		get issuedAt() {
			return new Date(claims.iat * 1000);
		},
		sequence: claims.sequence,
		stale: claim.stale,
		conflict: claim.conflict,
		tokenReused: facts.tokenReused === true,
		secretIndex: facts.secretIndex,
		dedup: claim.dedup,
		fingerprint: facts.fingerprint,
		issues: delivery.issues,
		get signal() {
			controller ??= new AbortController();
			if (isLate) abort();
			return controller.signal;
		},
	};
	// Added last: a computed name inside the literal makes V8 add every later member on its own.
	const named: Record<string, unknown> = context;
	named[entity.key] = entity.value;
	// The entity's key follows from the event id, which the types cannot see; `findEntity` checked it.
	return { context: named as unknown as EventContext, abort };
}
