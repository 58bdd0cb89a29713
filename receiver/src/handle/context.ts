import type { EventId, PayloadKey, WebhookClaims } from "@partnerwire/wire";
import type { Entity } from "../body/entity.ts";
import type { ReadBody } from "../body/read-body.ts";
import type { DeliveryContext, EventContext } from "../common/context-types.ts";
import type { DedupClaim } from "../dedupe/dedupe.ts";
import type { RequestState } from "../report/request-state.ts";
import {
	readAuthorisation,
	readConfiguration,
	toUniqueKey,
} from "./configuration.ts";

/** A verified delivery, before its handlers run. */
export interface Delivery {
	/** Undefined if only the headers of Standard Webhooks signed it. */
	eventId: EventId | undefined;
	claims: WebhookClaims;
	body: ReadBody;
	entity: Entity;
	issues: readonly string[];
	state: RequestState;
}

/** Builds a handler's context, and the function that aborts its signal. */
export function createContext(
	delivery: Delivery,
	claim: DedupClaim,
): { context: EventContext; abort: () => void } {
	const { claims, body, entity, state } = delivery;
	const { configuration } = body.value;
	let controller: AbortController | undefined;
	let isLate = false;
	const abort = (): void => {
		isLate = true;
		controller?.abort(
			new DOMException("The webhook's deadline has passed.", "TimeoutError"),
		);
	};
	const context: DeliveryContext &
		Pick<Delivery, "eventId"> & { [Key in PayloadKey]?: unknown } = {
		eventId: delivery.eventId,
		claims,
		config: (id) => readConfiguration(configuration, id),
		uniqueKey:
			entity.key === "lead"
				? toUniqueKey(entity.value, configuration)
				: undefined,
		authorisation: (id) => readAuthorisation(claims.external_settings, id),
		rawBody: body.bytes,
		bodySource: body.text === undefined ? "parsed" : "raw",
		bodyBound: state.bodyBound === true,
		issuedAt: new Date(claims.iat * 1000),
		sequence: claims.sequence,
		stale: claim.stale,
		conflict: claim.conflict,
		tokenReused: state.tokenReused === true,
		secretIndex: state.secretIndex ?? 0,
		dedup: claim.dedup,
		fingerprint: state.fingerprint ?? "",
		issues: delivery.issues,
		// The only getter: a signal is the most expensive part of a context and rarely read. Each getter itself costs 0.5 µs.
		get signal() {
			controller ??= new AbortController();
			if (isLate) abort();
			return controller.signal;
		},
	};
	// Not a computed name in the literal: V8 would add every later member one by one.
	context[entity.key] = entity.value;
	// The entity's key follows from the event id, which the types cannot see; `findEntity` checked it. Without an event id it is a
	// `StandardContext`, and goes to a handler of those.
	return { context: context as EventContext, abort };
}
