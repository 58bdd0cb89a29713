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
import { createCompanyLimit } from "./company-limit.ts";

/** Simultaneous test webhooks of one company, and as many checks of URLs. Enough to test all 19 events at once. */
const MOST_AT_A_TIME = 20;

/** Connects core to the network. Checks of URLs and test webhooks use the dispatcher's policy and connections. */
export function createPorts(
	{ wire, look }: { wire: Wire; look: Probe["look"] },
	policy: NetworkPolicy,
	clock: () => number,
	token: Partial<TokenOptions> = {},
): Ports {
	const testing = createCompanyLimit(MOST_AT_A_TIME, "test webhooks");
	const probing = createCompanyLimit(MOST_AT_A_TIME, "checks of webhook URLs");
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
