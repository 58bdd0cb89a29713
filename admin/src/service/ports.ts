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
import type { EventId } from "@partnerwire/wire";
import { readFixture } from "../assets/fixtures.ts";
import { createAtOnce } from "./at-once.ts";

/** Test webhooks of one company at the same time, and as many checks of URLs: enough for a test of each event at once. */
const AT_ONCE = 20;

/** Joins core to the network: the checks of URLs and the test webhook use the dispatcher's policy and connections. */
export function createPorts(
	{ wire, look }: { wire: Wire; look: Probe["look"] },
	policy: NetworkPolicy,
	clock: () => number,
	token: Partial<TokenOptions> = {},
): Ports {
	const testing = createAtOnce(AT_ONCE, "test webhooks");
	const probing = createAtOnce(AT_ONCE, "checks of webhook URLs");
	return {
		checkWebhookUrl: (url) => checkWebhookUrl(url, policy),
		fixtureOf: (eventId: EventId) => readFixture(eventId),
		adviceFor: adviceForClass,
		signWebhook: (request, nowMs) => signWebhook(request, nowMs, token),
		describeWebhook: (request, nowMs) => describeWebhook(request, nowMs, token),
		probeWebhookUrl: (url, companyUuid) =>
			probing(companyUuid, () => look(url)),
		deliverOnce: (request) =>
			testing(request.companyUuid, () =>
				deliverOnce(request, wire, clock(), token),
			),
	};
}
