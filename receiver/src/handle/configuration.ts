import type { UniqueKey } from "../common/context-types.ts";
import { isObject } from "../verify/token.ts";

const SETTINGS = "lead_integration_settings";
const UNIQUE_FIELD = "unique_field_lead";

/** The values of one configuration entry, by id. A Map, so that an id such as `__proto__` does no harm. */
export function readConfiguration(
	configuration: unknown,
	id: string,
): ReadonlyMap<string, string> | undefined {
	if (!Array.isArray(configuration)) return undefined;
	const entry = configuration.find((each) => isObject(each) && each.id === id);
	if (!entry) return undefined;
	const selected: readonly unknown[] = Array.isArray(entry.selected)
		? entry.selected
		: [];
	return new Map(
		selected
			.filter(isObject)
			.map((each) => [String(each.id), String(each.value)]),
	);
}

/** Finds the lead's unique key by `unique_field_lead` (docs/contract.md#payload). A null, empty or structured member is no key. */
export function toUniqueKey(
	lead: unknown,
	configuration: unknown,
): UniqueKey | undefined {
	if (!isObject(lead)) return undefined;
	const field = readConfiguration(configuration, SETTINGS)?.get(UNIQUE_FIELD);
	if (!field || !Object.hasOwn(lead, field)) return undefined;
	const value = lead[field];
	const isKey =
		(typeof value === "string" && value !== "") ||
		typeof value === "number" ||
		typeof value === "boolean";
	return isKey ? { field, value } : undefined;
}

/** The value of one `authorisation` entry (docs/contract.md#webhook-requests). */
export function readAuthorisation(
	externalSettings: unknown,
	id: string,
): string | undefined {
	if (!isObject(externalSettings)) return undefined;
	const { authorisation } = externalSettings;
	if (!Array.isArray(authorisation)) return undefined;
	const entry = authorisation.find((each) => isObject(each) && each.id === id);
	return typeof entry?.value === "string" ? entry.value : undefined;
}
