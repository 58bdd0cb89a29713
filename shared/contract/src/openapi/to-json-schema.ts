import * as z from "zod";
import { NAMED_SCHEMAS } from "./named-schemas.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

const NAMES = new Map<unknown, string>(
	Object.entries(NAMED_SCHEMAS).map(([name, schema]) => [schema, name]),
);

const clear = (schema: Record<string, unknown>) => {
	for (const key of Object.keys(schema)) delete schema[key];
};

/** Adds a `format` to members of answers whose name tells it, such as `*_uuid`. */
function addFormats(properties: Record<string, JsonSchema>): void {
	for (const [name, member] of Object.entries(properties)) {
		const parts = [member, ...((member.anyOf ?? []) as JsonSchema[])];
		for (const part of parts as Record<string, unknown>[])
			if (part.type === "string" && /(^|_)uuid$/.test(name))
				part.format = "uuid";
	}
}

/**
 * A zod schema as JSON Schema 2020-12. Named schemas become references to the document's components; objects stay open,
 * because unknown members are ignored in requests and may be added to answers (docs/contract.md#versioning).
 */
export function toJsonSchema(
	schema: z.ZodType,
	io: "input" | "output",
): JsonSchema {
	const whole: z.core.$ZodType = schema;
	const { $schema, ...json } = z.toJSONSchema(schema, {
		io,
		unrepresentable: "any",
		override: ({ zodSchema, jsonSchema: json }) => {
			const name = NAMES.get(zodSchema);
			const wire = (json as { wire?: JsonSchema }).wire;
			if (name && zodSchema !== whole) {
				clear(json);
				json.$ref = `#/components/schemas/${name}`;
			} else if (wire) {
				clear(json);
				Object.assign(json, wire);
			} else if (json.type === "object") {
				delete json.additionalProperties;
				addFormats((json.properties ?? {}) as Record<string, JsonSchema>);
			}
		},
	});
	return json;
}

/** The schema, or a reference to it if it is a named one. */
export function toSchemaOrReference(
	schema: z.ZodType,
	io: "input" | "output",
): JsonSchema {
	const name = NAMES.get(schema);
	return name
		? { $ref: `#/components/schemas/${name}` }
		: toJsonSchema(schema, io);
}

/** `components.schemas` of the document. */
export const toComponentSchemas = (): Record<string, JsonSchema> =>
	Object.fromEntries(
		Object.entries(NAMED_SCHEMAS).map(([name, schema]) => [
			name,
			toJsonSchema(schema, "output"),
		]),
	);
