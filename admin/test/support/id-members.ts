import type { Operation } from "@partnerwire/contract";
import { isId } from "./references.ts";
import { type JsonSchema, toSchema } from "./valid-body.ts";

/** A member of a body that holds an id, or that may hold anything. */
export interface IdMember {
	/** Where it is, such as `/uuids/0` with a star for the 0: that is any place of a list, or any member of an object. */
	readonly at: string;
	readonly name: string;
	/** The member that it is in; "" at the top. */
	readonly inside: string;
	/** That its schema takes anything. */
	readonly isOpen: boolean;
}

const isOpen = ({ type, anyOf, oneOf, ...schema }: JsonSchema) =>
	!type && !anyOf && !oneOf && !schema.enum && !("const" in schema);

/** Every id that a body may hold, however deep, from its schema: whatever is called one, too. */
export const findIds = ({ body }: Operation): IdMember[] => {
	const found = body ? [...walk(toSchema(body), "", "", "")] : [];
	// An alternative of a member is the member.
	return [...new Map(found.map((one) => [one.at, one])).values()];
};

function* walk(
	schema: JsonSchema,
	at: string,
	name: string,
	inside: string,
): Generator<IdMember> {
	const { properties = {}, items, additionalProperties } = schema;
	if (isId(name, schema) || isOpen(schema) || isCalledId(name, schema))
		yield { at, name, inside, isOpen: isOpen(schema) };
	for (const other of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])])
		yield* walk(other, at, name, inside);
	for (const [member, rule] of Object.entries(properties))
		yield* walk(rule, `${at}/${member}`, member, name);
	for (const rule of [items, additionalProperties])
		if (typeof rule === "object") yield* walk(rule, `${at}/*`, name, inside);
}

const isCalledId = (name: string, { type }: JsonSchema) =>
	type === "string" && /(^|_|I)(uu)?ids?$/i.test(name);

/** The body with a value at a place; what leads there is made. */
export function put(body: unknown, at: string, value: unknown): object {
	const [, segment = "", ...rest] = at.split("/");
	const inner = rest.map((name) => `/${name}`).join("");
	if (segment === "*") {
		const [first, ...others] = Array.isArray(body) ? body : [];
		return [inner ? put(first, inner, value) : value, ...others];
	}
	const members = (
		typeof body === "object" && body !== null ? body : {}
	) as Record<string, unknown>;
	return {
		...members,
		[segment]: inner ? put(members[segment], inner, value) : value,
	};
}
