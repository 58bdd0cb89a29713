import type {
	TestResult,
	WebhookEventDetail,
	WebhookUrlProbe,
} from "@partnerwire/contract";
import type { EventId } from "@partnerwire/wire";
import type { OpenIntegration } from "../secrets/integration-secrets.ts";

/** Everything that one attempt at a webhook needs; secrets are in clear, so it never leaves the process. */
export interface WebhookRequest extends OpenIntegration {
	readonly eventId: EventId;
	readonly userUuid: string;
	readonly deliveryUuid: string;
	readonly sequence: number | null;
	/** The entity's JSON and the configuration array's JSON: the body is their concatenation. */
	readonly entity: string;
	readonly configuration: string;
}

/** What a receiver verifies: the JSON text of the body, and the token that names it. */
export interface SignedWebhook {
	readonly body: string;
	readonly token: string;
}

/** What core needs from outside: it never touches the network itself. */
export interface Ports {
	/** Null when the URL may be called, else one sentence that says why not. */
	checkWebhookUrl(url: string): string | null;
	/** The body of the fixture of an event. */
	fixtureOf(eventId: EventId): Readonly<Record<string, unknown>>;
	/** One sentence on what to do about a failure class, or about none. */
	adviceFor(failureClass: string | null): string;
	/** The body and the token that an attempt at the given time would send. */
	signWebhook(request: WebhookRequest, nowMs: number): SignedWebhook;
	/** What an attempt at the given time would send around its body, without the token or a secret. */
	describeWebhook(
		request: WebhookRequest,
		nowMs: number,
	): WebhookEventDetail["request"];
	/** Looks at what a webhook URL leads to; nothing is delivered. Throws an `ApiError` when the company has too many under way. */
	probeWebhookUrl(
		url: string,
		companyUuid: string,
	): Promise<Omit<WebhookUrlProbe, "webhook_url">>;
	/** One attempt, now, told with everything that happened (decisions §2: test webhook); bounded in the same way. */
	deliverOnce(request: WebhookRequest): Promise<TestResult>;
}
