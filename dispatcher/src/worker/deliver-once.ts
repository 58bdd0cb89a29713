import type { TestResult } from "@partnerwire/contract";
import type { WebhookRequest } from "@partnerwire/core";
import { adviceFor } from "../http/failures.ts";
import type { Wire } from "../http/wire.ts";
import { describeEnvelope } from "./describe-webhook.ts";
import { type TokenOptions, toSignedRequest } from "./signed-requests.ts";
import { toTimings } from "./to-timings.ts";

/** Sends one webhook now, and returns the whole attempt without token and secrets (docs/decisions.md#test-webhook). */
export async function deliverOnce(
	request: WebhookRequest,
	wire: Wire,
	nowMs: number,
	token: Partial<TokenOptions> = {},
): Promise<TestResult> {
	const envelope = toSignedRequest(request, nowMs, token);
	const result = await wire.attempt(envelope);
	const { failure, status, timings } = result;
	return {
		delivered: result.delivered,
		advice: adviceFor(result),
		request: {
			...describeEnvelope(envelope),
			body: new TextDecoder().decode(envelope.body),
		},
		response:
			status === null
				? null
				: {
						status,
						headers: result.responseHeaders as Record<
							string,
							string | string[]
						>,
						body: result.responseBody,
					},
		failure,
		address: result.address,
		retried_on_reset: result.retriedOnReset,
		timings: {
			...toTimings(timings),
			total_ms: result.durationMs,
		},
	};
}
