import type { Operation } from "@partnerwire/contract";
import * as z from "zod";
import { UNKNOWN_UUID } from "./records.ts";
import { isId, isUuidOfNoRecord } from "./references.ts";

export interface JsonSchema {
	type?: string;
	enum?: unknown[];
	const?: unknown;
	format?: string;
	pattern?: string;
	anyOf?: JsonSchema[];
	oneOf?: JsonSchema[];
	items?: JsonSchema;
	additionalProperties?: JsonSchema | boolean;
	properties?: Record<string, JsonSchema>;
	required?: string[];
	minimum?: number;
	minItems?: number;
}

/** Values of members whose rule is not in their JSON Schema. */
const BY_NAME: [RegExp, unknown][] = [
	[/(^|_)url$|^website$/, "https://x.example/"],
	[/_date$/, "2026-02-03"],
	[/^domain$/, "x.example"],
];

/**
 * The smallest body that passes an operation's validation, made from its schema, so that a test over the whole table
 * has one for each new row too. References in it are to nobody's record.
 */
export const validBodyOf = (row: Operation): object | undefined =>
	toBody(row, isNeeded);

/** The same with every reference that may be left out, those in lists and objects included. */
export const referringBodyOf = (row: Operation): object | undefined =>
	toBody(
		row,
		(member, rule, required) =>
			isNeeded(member, rule, required) || isReferring(member, rule),
	);

type IsIn = (
	member: string,
	rule: JsonSchema,
	required: readonly string[],
) => boolean;

/** Some bodies need one of several booleans, which no single member's rule says. */
const isNeeded: IsIn = (member, { type }, required) =>
	required.includes(member) || type === "boolean";

/** Custom fields have uuids too, and rules of their own: tests of theirs have them. */
const isReferring = (member: string, rule: JsonSchema): boolean =>
	member !== "custom_fields" &&
	!isUuidOfNoRecord(member) &&
	(isId(member, rule) ||
		[rule.items, ...(rule.anyOf ?? []), ...(rule.oneOf ?? [])].some(
			(inner) => inner && isReferring(member, inner),
		) ||
		Object.entries(rule.properties ?? {}).some((entry) =>
			isReferring(...entry),
		));

/** A body's schema as what a client sends. */
export const toSchema = (body: z.ZodType): JsonSchema =>
	z.toJSONSchema(body, {
		io: "input",
		unrepresentable: "any",
	}) as JsonSchema;

function toBody({ body, path }: Operation, isIn: IsIn): object | undefined {
	if (!body) return undefined;
	const made = toValue("", toSchema(body), isIn) as Record<string, unknown>;
	// Contacts are made in two ways, and an e-mail is unique among them.
	if ("email" in made)
		made.email = `someone@${path.replace(/\W/g, "")}.example`;
	body.parse(made);
	return made;
}

/** A body that changes one member of a record: the first that can be said in a word, or whatever comes first. */
export function changingBodyOf({ body }: Operation): object {
	const { properties = {} } = toSchema(body as z.ZodType);
	const members = Object.entries(properties);
	const [member, rule] =
		members.find(([name]) => /^(label|name|content|description)$/.test(name)) ??
		(members[0] as [string, JsonSchema]);
	const type = rule.type ?? rule.anyOf?.[0]?.type;
	const text = rule.format === "uri" ? "https://c.example/" : "changed.example";
	const value = type === "boolean" ? false : type === "string" ? text : 7;
	return { [member]: value };
}

function toValue(name: string, schema: JsonSchema, isIn: IsIn): unknown {
	if ("const" in schema) return schema.const;
	if (schema.enum) return schema.enum[0];
	const options = schema.anyOf ?? schema.oneOf;
	if (options) return toValue(name, options[0] as JsonSchema, isIn);
	switch (schema.type) {
		case "object": {
			const { properties = {}, required = [] } = schema;
			// A commission's option needs a rule between members.
			const isOfOption = (member: string) =>
				"option" in properties && /^(option|value)$/.test(member);
			return Object.fromEntries(
				Object.entries(properties)
					.filter(
						([member, rule]) =>
							isOfOption(member) || isIn(member, rule, required),
					)
					.map(([member, rule]) => [member, toValue(member, rule, isIn)]),
			);
		}
		case "array": {
			const { items = {}, minItems = 0 } = schema;
			const isNamed = isIn(name, { items }, []) ? 1 : 0;
			return Array.from({ length: Math.max(minItems, isNamed) }, () =>
				toValue(name, items, isIn),
			);
		}
		case "integer":
		case "number":
			return schema.minimum ?? 1;
		case "boolean":
			// A dry run leaves nothing that could be watched.
			return name !== "dry_run";
		default:
			if (schema.format === "uuid") return UNKNOWN_UUID;
			// The decimal texts of commissions.
			if (schema.pattern?.startsWith("^(\\d")) return "1";
			return BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? "x";
	}
}
