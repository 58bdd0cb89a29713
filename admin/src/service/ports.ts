import type { EventId } from "@partnerwire/contract";
import type { Ports } from "@partnerwire/core";
import {
	adviceForClass,
	checkWebhookUrl,
	type NetworkPolicy,
	type Probe,
	type Wire,
} from "@partnerwire/dispatcher";
import {
	deliverOnce,
	describeWebhook,
	signWebhook,
	type TokenOptions,
} from "@partnerwire/dispatcher/worker";
import { readFixture } from "./fixtures.ts";

/** Joins core to the network: the checks of URLs and the test webhook use the dispatcher's policy and connections. */
export function createPorts(
	{ wire, probe }: { wire: Wire; probe: Probe },
	policy: NetworkPolicy,
	clock: () => number,
	token: Partial<TokenOptions> = {},
): Ports {
	return {
		checkWebhookUrl: (url) => checkWebhookUrl(url, policy),
		fixtureOf: (eventId: EventId) => readFixture(eventId),
		adviceFor: adviceForClass,
		signWebhook: (request, nowMs) => signWebhook(request, nowMs, token),
		describeWebhook: (request, nowMs) => describeWebhook(request, nowMs, token),
		probeWebhookUrl: (url) => probe.look(url),
		deliverOnce: (request) => deliverOnce(request, wire, clock(), token),
	};
}
