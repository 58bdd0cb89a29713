import type {
	EventGroup,
	EventId,
	PayloadKey,
	PayloadKeyOf,
	Payloads,
	WebhookClaims,
} from "@partnerwire/wire";
import type { EventSelector } from "./events.ts";
import type { Bytes } from "./incoming.ts";

/** The event ids of a group, by the contract's naming. */
type IdsOfGroup<Group extends EventGroup> = Extract<
	EventId,
	`${Lowercase<Group>}_${string}`
>;

/** The event ids that a selector of `on` stands for. */
export type EventIdsOf<Selector> = Selector extends readonly (infer Each)[]
	? EventIdsOf<Each>
	: Selector extends "*"
		? EventId
		: Selector extends EventGroup
			? IdsOfGroup<Selector>
			: Extract<Selector, EventId>;

/** The lead's field that the integration's configuration names as the unique key, and its value. */
export interface UniqueKey {
	field: string;
	value: string | number | boolean;
}

/** The deduplication of one delivery. `unavailable`: the store was down, and the handler ran without it. */
export type DedupState = "claimed" | "unavailable" | "off";

/** The part of a handler's context that is the same for all events. */
export interface DeliveryContext {
	/** The verified claims. */
	claims: WebhookClaims;
	/** The `selected` values of one entry of the configuration array, by id; undefined if there is no such entry. */
	config(id: string): ReadonlyMap<string, string> | undefined;
	/** The field that `unique_field_lead` names, with its value. Undefined if it is unset or the lead lacks the field. */
	uniqueKey: UniqueKey | undefined;
	/** The value of one `authorisation` entry of the integration's external settings. */
	authorisation(id: string): string | undefined;
	/** The JSON bytes, inflated and without a BOM. If a framework had parsed the body, the `JSON.stringify` of its object. */
	rawBody: Bytes;
	/** `parsed` if a framework's parser had taken the body, so that the original bytes are lost. */
	bodySource: "raw" | "parsed";
	/** Did the token's `payload_sha256` bind this very body? */
	bodyBound: boolean;
	/** When the token of this attempt was issued. Do not order by it: attempts of an older event can come later. */
	issuedAt: Date;
	/** The delivery's number within its integration. */
	sequence: number | undefined;
	/** Was a later delivery of the same entity, by its sequence, committed before? */
	stale: boolean;
	/** Did the same delivery id arrive before with another payload (docs/receiver.md#duplicates)? */
	conflict: boolean;
	/** Was the same token used before with another body? */
	tokenReused: boolean;
	/** Which of the configured secrets signed the token. */
	secretIndex: number;
	dedup: DedupState;
	/** The payload's fingerprint. `receiver.forget(fingerprint)` lets it run again. */
	fingerprint: string;
	/** The differences from the contract's payload shape. The handler runs nevertheless. */
	issues: readonly string[];
	/** Aborted at the deadline. Stop then: the sender has got a 503 and will try again. */
	signal: AbortSignal;
}

type EntityOf<Id extends EventId> = {
	[Key in PayloadKeyOf<Id>]: Payloads[Key];
} & { [Key in Exclude<PayloadKey, PayloadKeyOf<Id>>]?: undefined };

/** A handler's argument, of one event or of any of several. Switch on `eventId` to narrow it. */
export type EventContext<Id extends EventId = EventId> = Id extends EventId
	? DeliveryContext & { eventId: Id } & EntityOf<Id>
	: never;

/** Handles an event. Returning acknowledges it, throwing makes the sender try again. */
export type Handler<Id extends EventId = EventId> = (
	context: EventContext<Id>,
) => unknown;

/** The handler for a selector. The context's type follows from the selector. */
export type HandlerFor<
	Selector extends EventSelector | readonly EventSelector[],
> = Handler<EventIdsOf<Selector>>;

/**
 * The argument of a handler of `standardWebhooks`. Only the id, the time and the body are signed: `claims.jti` is the `webhook-id` and
 * `claims.iat` the `webhook-timestamp`. `company_uuid`, `user_uuid` and `event_id` are empty.
 */
export type StandardContext = DeliveryContext & {
	[Key in PayloadKey]?: Payloads[Key];
};
