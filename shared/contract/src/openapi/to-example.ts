import type { JsonSchema } from "./to-json-schema.ts";

const UUID = "0192a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b";

const BY_FORMAT: Readonly<Record<string, string>> = {
	uuid: UUID,
	"date-time": "2026-11-27T22:25:01.000Z",
	date: "2026-11-27",
	email: "mara.lind@globex.example",
	uri: "https://globex.example/hook",
};

/** Example values by the name of the member. */
const BY_NAME: readonly (readonly [RegExp, string])[] = [
	[/email$/, "mara.lind@globex.example"],
	[/^first_name$/, "Mara"],
	[/^last_name$/, "Lind"],
	[/^(company_)?name$/, "Globex"],
	[/phone/, "+442079460958"],
	[/(website|url)/, "https://globex.example/"],
	[/^domain$/, "globex.example"],
	[/^code$/, "EUR"],
	[/_date$|^valid_/, "2026-11-27"],
	[/_at$/, "2026-11-27T22:25:01.000Z"],
];

function toText(schema: JsonSchema, name: string): string {
	const format = String(schema.format ?? "");
	const byName = BY_NAME.find(([pattern]) => pattern.test(name))?.[1];
	return BY_FORMAT[format] ?? byName ?? name.replaceAll("_", " ");
}

function toNumber({ minimum = 1, exclusiveMinimum }: JsonSchema): number {
	if (typeof exclusiveMinimum === "number") return exclusiveMinimum + 1;
	return Math.max(1, Number(minimum));
}

/**
 * A value that the schema accepts, so that no example of the document can be out of date. A test parses each.
 *
 * @param resolve gives the component schema behind a `$ref`
 */
export function toExample(
	schema: JsonSchema,
	resolve: (reference: string) => JsonSchema,
	name = "text",
): unknown {
	const example = (inner: unknown, of = name) =>
		toExample(inner as JsonSchema, resolve, of);
	if (typeof schema.$ref === "string") return example(resolve(schema.$ref));
	if (Array.isArray(schema.examples)) return schema.examples[0];
	if ("const" in schema) return schema.const;
	if (Array.isArray(schema.enum)) return schema.enum[0];
	if ("default" in schema) return schema.default;
	const [first] = (schema.anyOf ??
		schema.oneOf ??
		schema.allOf ??
		[]) as JsonSchema[];
	if (first) return example(first);
	if (schema.type === "object") {
		const members = Object.entries((schema.properties ?? {}) as object);
		return Object.fromEntries(
			members.map(([member, inner]) => [member, example(inner, member)]),
		);
	}
	if (schema.type === "array") return [example(schema.items ?? {})];
	if (schema.type === "integer" || schema.type === "number")
		return toNumber(schema);
	if (schema.type === "boolean") return true;
	if (schema.type === "string") return toText(schema, name);
	return null;
}
