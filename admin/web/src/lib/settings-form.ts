import type { Integration } from "@partnerwire/contract";
import { parseUrl } from "@partnerwire/wire";
import { type Edit, toChanged } from "./edit.ts";
import { toShort } from "./format.ts";

type Stored = Pick<
	Integration,
	| "label"
	| "webhook_url"
	| "event_ids"
	| "configuration"
	| "on_pause"
	| "ordering"
	| "standard_webhooks"
	| "max_per_second"
	| "retry_schedule"
>;

/** The values and texts of the form for the stored settings. */
export const toSettingsForm = (stored: Stored) => ({
	label: stored.label,
	webhook_url: stored.webhook_url,
	event_ids: stored.event_ids,
	configuration: stored.configuration,
	on_pause: stored.on_pause,
	ordering: stored.ordering,
	standard_webhooks: stored.standard_webhooks,
	max_per_second: stored.max_per_second?.toString() ?? "",
	retry_schedule: stored.retry_schedule?.join(", ") ?? "",
});
export type SettingsForm = ReturnType<typeof toSettingsForm>;

/** The user's changes, for a PATCH. Text that is not a number is sent as it is: the service says what is wrong with it. */
export function toSettingsChanges(edit: Edit<SettingsForm>): Partial<Stored> {
	const numberOf = (text: string) =>
		/^\s*-?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : text;
	const { max_per_second: most, retry_schedule: delays } = edit.form;
	const values: Record<keyof Stored, unknown> = {
		...edit.form,
		max_per_second: most.trim() === "" ? null : numberOf(most),
		retry_schedule:
			delays.trim() === "" ? null : delays.split(",").map(numberOf),
	};
	return Object.fromEntries(
		toChanged(edit).map((name) => [name, values[name]]),
	);
}

const NAMES: Readonly<Record<keyof SettingsForm, string>> = {
	label: "Name",
	webhook_url: "Webhook URL",
	event_ids: "Events",
	configuration: "Configuration",
	on_pause: "While it is paused",
	ordering: "Order",
	standard_webhooks: "Standard Webhooks",
	max_per_second: "Deliveries a second",
	retry_schedule: "Retry after",
};
/** Members whose value is short enough to quote. */
const QUOTED = ["label", "webhook_url", "max_per_second", "retry_schedule"];

/** A sentence on members that somebody else changed after the user did. Empty if there are none. */
export function toMeanwhile({ meanwhile, stored }: Edit<SettingsForm>): string {
	if (meanwhile.length === 0) return "";
	const named = meanwhile.map((name) => {
		if (!QUOTED.includes(name)) return NAMES[name];
		const text = String(stored[name]);
		return `${NAMES[name]} (now ${text === "" ? "empty" : `“${toShort(text)}”`})`;
	});
	return `Somebody else changed meanwhile: ${named.join(", ")}. Save replaces it with yours; Discard shows theirs.`;
}

type Secrets = Pick<
	Integration,
	"webhook_url" | "has_api_key" | "has_external_settings"
>;

/** A warning that changes take the URL to another origin, without secrets that the old one has. Empty if none is lost. */
export function toLostSecrets(
	{ webhook_url: url, ...has }: Secrets,
	changes: Readonly<Record<string, unknown>>,
): string {
	const next = parseUrl(String(changes.webhook_url ?? url));
	if (!next || next.origin === parseUrl(url)?.origin) return "";
	const lost = [
		has.has_api_key && !("api_key" in changes) && "API key",
		has.has_external_settings &&
			!("external_settings" in changes) &&
			"external settings",
	].filter(Boolean);
	return lost.length === 0
		? ""
		: `The URL leads to another server. Saving removes the ${lost.join(" and the ")}: enter what the new server may get under “Secrets in the token”.`;
}
