import type { Metrics } from "../../metrics/metrics.ts";
import type { AlertOptions } from "../../service/alerts.ts";
import type { Log } from "../../service/log.ts";
import type { Settings } from "./settings.ts";

/** The options of alerts, from the settings. Each alert is logged, with or without a URL to send it to. */
export function toAlertOptions(
	settings: Settings,
	log: Log,
	metrics: Metrics | undefined,
): AlertOptions {
	const { alertUrl: url, alertSecret: secret } = settings;
	return {
		...(url !== undefined &&
			secret !== undefined && { endpoint: { url, secret } }),
		ageMs: settings.alertAge * 1000,
		everyMs: settings.alertEvery * 60_000,
		onAlert({ uuid, kind, message, integration, since, waiting }) {
			const members = { alert: uuid, kind, integration: integration.id };
			const level = kind === "recovered" ? "info" : "warn";
			log(level, message, { ...members, since, waiting });
			metrics?.onAlert(kind, "raised");
		},
		onSent({ uuid, kind, attempts }, outcome, failure) {
			metrics?.onAlert(kind, outcome);
			if (outcome === "sent") return;
			const members = { alert: uuid, kind, attempt: attempts + 1 };
			const message =
				outcome === "retried"
					? "an alert was not taken, and will be sent again"
					: "an alert was not taken, and is given up";
			log(outcome === "retried" ? "warn" : "error", message, {
				...members,
				reason: failure,
			});
		},
	};
}
