import type { ServiceOptions } from "../../service/open-service.ts";
import type { Settings } from "./settings.ts";

const DAY_MS = 24 * 3_600_000;

/** The service's options for deliveries, from the settings. */
export function toDeliveryOptions(settings: Settings) {
	const omitted = settings.omitClaims ?? [];
	return {
		token: {
			tokenLifetimeS: settings.tokenLifetime,
			jti: !omitted.includes("jti"),
			payloadSha256: !omitted.includes("payload_sha256"),
			sequence: !omitted.includes("sequence"),
		},
		passAfterMs: settings.passAfter * 1000,
		retentionMs: settings.retentionDays * DAY_MS,
		concurrency: settings.concurrency,
		perIntegration: settings.perIntegration,
	} satisfies Partial<ServiceOptions>;
}
