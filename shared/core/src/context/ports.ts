import type {
	TestResult,
	WebhookEventDetail,
	WebhookUrlProbe,
} from "@partnerwire/contract";
import type { EventId } from "@partnerwire/wire";
import type { OpenIntegration } from "../secrets/integration-secrets.ts";

/** The data of one attempt. Secrets are in clear text, so it never leaves the process. */
export interface WebhookRequest extends OpenIntegration {
	readonly eventId: EventId;
	readonly userUuid: string;
	/** The delivery's uuid. */
	readonly uuid: string;
	readonly sequence: number | null;
	/** The JSON of the entity and of the configuration array. The body is made of the two. */
	readonly entity: string;
	readonly configuration: string;
}

/** The parts that a receiver verifies: the body's JSON text and its token. */
export interface SignedWebhook {
	readonly body: string;
	readonly token: string;
}

/** Functions that core needs from outside: it never touches the network itself. */
export interface Ports {
	/** Null if the URL may be called, otherwise the reason in one sentence. */
	checkWebhookUrl(url: string): string | null;
	/** The body of an event's fixture. */
	fixtureOf(eventId: EventId): Readonly<Record<string, unknown>>;
	/** Advice on a failure class in one sentence; null is for a success. */
	adviceFor(failureClass: string | null): string;
	/** The body and the token that an attempt at the given time would send. */
	signWebhook(request: WebhookRequest, nowMs: number): SignedWebhook;
	/**
	 * The URL, headers and claims that an attempt at the given time would send, token and secrets masked
	 * (docs/decisions.md#request-of-a-webhook-event).
	 */
	describeWebhook(
		request: WebhookRequest,
		nowMs: number,
	): WebhookEventDetail["request"];
	/**
	 * Checks a webhook URL without delivering anything. Throws an `ApiError` if the company has too many checks under way
	 * (docs/decisions.md#test-webhooks-and-checks-at-the-same-time).
	 */
	probeWebhookUrl(
		url: string,
		companyUuid: string,
	): Promise<Omit<WebhookUrlProbe, "webhook_url">>;
	/** Makes one attempt now and reports it in full (docs/decisions.md#test-webhook). Limited as checks are. */
	deliverOnce(request: WebhookRequest): Promise<TestResult>;
}
