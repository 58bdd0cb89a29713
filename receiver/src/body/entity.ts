import { type EventId, type PayloadKey, payloadKeyOf } from "@partnerwire/wire";
import { isObject } from "../verify/token.ts";

/** The record that an event is about. */
export interface Entity {
	key: PayloadKey;
	value: Record<string, unknown>;
}

/**
 * Finds the entity in a body. Lead, deal and partner events need their own key. The contract does not show the payloads of note,
 * contact and message events (docs/decisions.md#body-keys), so they may have any single key beside `configuration`.
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

/** Names the entity for observations and the log. */
export const toEntityRef = ({ key, value: { uuid } }: Entity) => ({
	key,
	uuid: typeof uuid === "string" ? uuid : undefined,
});

/** The members of an entity that every payload has. */
const NAMED: Partial<Record<PayloadKey, readonly string[]>> = {
	lead: ["uuid", "company_name", "email"],
	deal: ["uuid", "label"],
	partnership: ["uuid", "company_name"],
};

/** A body of 1 MB could have half a million issues. */
const MAX_ISSUES = 100;

/** Lists the differences from the contract's payload shape (docs/contract.md#payload), one sentence each. */
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

/** An id of the entity that is the same in all its deliveries. Undefined if it has no uuid. */
export function toEntityId(
	companyUuid: string,
	{ key, value }: Entity,
): string | undefined {
	return typeof value.uuid === "string" && value.uuid !== ""
		? `${companyUuid}/${key}/${value.uuid}`
		: undefined;
}

/** Has the entity any timestamp? Without one, A → B → A must count as three changes (docs/receiver.md#duplicates). */
export function hasTimestamp({ value }: Entity): boolean {
	return Object.keys(value).some(
		(name) => name.endsWith("_at") && Boolean(value[name]),
	);
}
