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

/** How the deduplication of one delivery went; `unavailable` means that it ran without (case F09). */
export type DedupState = "claimed" | "unavailable" | "off";

/** What a handler gets beside the entity. */
export interface DeliveryContext {
	/** The verified claims. */
	claims: WebhookClaims;
	/** The `selected` values of one entry of the configuration array, by id; undefined if there is no such entry. */
	config(id: string): ReadonlyMap<string, string> | undefined;
	/** `unique_field_lead`, resolved; undefined when it is unset or the lead lacks the field. */
	uniqueKey: UniqueKey | undefined;
	/** The value of one `authorisation` entry of the integration's external settings. */
	authorisation(id: string): string | undefined;
	/** The JSON bytes, inflated and without a BOM; of a body that a framework had parsed, its `JSON.stringify`. */
	rawBody: Bytes;
	/** `parsed` if the bytes on the wire were lost to a framework's parser (case A01). */
	bodySource: "raw" | "parsed";
	/** Did the token's `payload_sha256` bind this very body? */
	bodyBound: boolean;
	/** When the token of this attempt was issued; attempts of an older event can come later, so never order by it. */
	issuedAt: Date;
	/** The delivery's number within its integration. */
	sequence: number | undefined;
	/** Was a delivery with a higher sequence of the same entity committed before (case G12)? */
	stale: boolean;
	/** Did the same delivery id arrive before with another payload (decisions §2)? */
	conflict: boolean;
	/** Was the same token used before with another body (case D12)? */
	tokenReused: boolean;
	/** Which of the configured secrets signed the token (case E07). */
	secretIndex: number;
	dedup: DedupState;
	/** The payload's fingerprint; `receiver.forget(fingerprint)` lets it run again. */
	fingerprint: string;
	/** What differs from the spec's payload shape; the handler runs nevertheless (case G07). */
	issues: readonly string[];
	/** Aborted at the deadline: stop, the sender has been told to try again. */
	signal: AbortSignal;
}

type EntityOf<Id extends EventId> = {
	[Key in PayloadKeyOf<Id>]: Payloads[Key];
} & { [Key in Exclude<PayloadKey, PayloadKeyOf<Id>>]?: undefined };

/** What a handler of one event, or of any of several, is called with; switch on `eventId` to narrow. */
export type EventContext<Id extends EventId = EventId> = Id extends EventId
	? DeliveryContext & { eventId: Id } & EntityOf<Id>
	: never;

/** Handles an event: returning acknowledges it, throwing makes the sender try again. */
export type Handler<Id extends EventId = EventId> = (
	context: EventContext<Id>,
) => unknown;

/** Registers handlers; the context's type follows from the selector. */
export type HandlerFor<
	Selector extends EventSelector | readonly EventSelector[],
> = Handler<EventIdsOf<Selector>>;
