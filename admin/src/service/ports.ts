import type { EventId } from "@partnerwire/contract";
import type { Ports } from "@partnerwire/core";
import {
	adviceForClass,
	checkWebhookUrl,
	type NetworkPolicy,
	type Wire,
} from "@partnerwire/dispatcher";
import {
	deliverOnce,
	signWebhook,
	type TokenOptions,
} from "@partnerwire/dispatcher/worker";
import { readFixture } from "./fixtures.ts";

/** Joins core to the network: the URL check and the test webhook use the dispatcher's policy and connections. */
export function createPorts(
	wire: Wire,
	policy: NetworkPolicy,
	clock: () => number,
	token: Partial<TokenOptions> = {},
): Ports {
	return {
		checkWebhookUrl: (url) => checkWebhookUrl(url, policy),
		fixtureOf: (eventId: EventId) => readFixture(eventId),
		adviceFor: adviceForClass,
		signWebhook: (request, nowMs) => signWebhook(request, nowMs, token),
		deliverOnce: (request) => deliverOnce(request, wire, clock(), token),
	};
}
