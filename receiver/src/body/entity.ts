import { type EventId, type PayloadKey, payloadKeyOf } from "@partnerwire/wire";
import { isObject } from "../verify/token.ts";

/** The record that an event is about. */
export interface Entity {
	key: PayloadKey;
	value: Record<string, unknown>;
}

/**
 * Finds the entity in a body. Lead, deal and partner events need their own key; the spec does not show the payloads of note, contact
 * and message events, so those take any one key beside `configuration` (case G06).
 */
export function findEntity(
	id: EventId,
	body: Record<string, unknown>,
): Entity | undefined {
	const key = payloadKeyOf(id);
	const own = body[key];
	if (isObject(own)) return { key, value: own };
	if (key === "lead" || key === "deal" || key === "partnership")
		return undefined;
	const others = Object.entries(body).filter(
		([name, value]) => name !== "configuration" && isObject(value),
	);
	const [other] = others;
	return other && others.length === 1
		? { key, value: other[1] as Record<string, unknown> }
		: undefined;
}

/** The entity as observations and the log name it. */
export const toFact = ({ key, value: { uuid } }: Entity) => ({
	key,
	uuid: typeof uuid === "string" ? uuid : undefined,
});

/** The members that the spec's payload shape names. */
const NAMED: Partial<Record<PayloadKey, readonly string[]>> = {
	lead: ["uuid", "company_name", "email"],
	deal: ["uuid", "label"],
	partnership: ["uuid", "company_name"],
};

/** A body of a megabyte could have half a million. */
const MAX_ISSUES = 100;

/** What differs from the spec's payload shape, one sentence each (case G07). */
export function listIssues(
	{ key, value }: Entity,
	configuration: unknown,
): string[] {
	const issues: string[] = [];
	for (const name of NAMED[key] ?? ["uuid"]) {
		const member = value[name];
		if (member === undefined) issues.push(`${key}.${name} is missing`);
		else if (typeof member !== "string" && (member !== null || name === "uuid"))
			issues.push(`${key}.${name} is not a string`);
	}
	if (configuration === undefined) issues.push("configuration is missing");
	else if (Array.isArray(configuration))
		configuration.forEach((entry, index) => {
			if (issues.length > MAX_ISSUES) return;
			if (
				!isObject(entry) ||
				typeof entry.id !== "string" ||
				!Array.isArray(entry.selected)
			)
				issues.push(`configuration[${index}] is not {id, selected}`);
		});
	return issues;
}

/** Names the entity across deliveries; undefined if it has no uuid. */
export function toEntityId(
	companyUuid: string,
	{ key, value }: Entity,
): string | undefined {
	return typeof value.uuid === "string" && value.uuid !== ""
		? `${companyUuid}/${key}/${value.uuid}`
		: undefined;
}

/** Does the entity carry any timestamp? Without one, A → B → A are three changes and not two (decisions §2). */
export function hasTimestamp({ value }: Entity): boolean {
	return Object.keys(value).some(
		(name) => name.endsWith("_at") && Boolean(value[name]),
	);
}
