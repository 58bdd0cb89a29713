import type { JsonSchema } from "../openapi/to-json-schema.ts";

/** What says nothing to an assistant that the server does not check anyway. */
const SILENT = new Set([
	"$schema",
	"additionalProperties",
	"maxLength",
	"minLength",
	"pattern",
]);
const isBound = (value: unknown) =>
	Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;

/** Alternatives of one type, such as a date or a time, are one for a model. */
function withoutFormats(given: JsonSchema[]): JsonSchema[] {
	const types = new Set(given.map(({ type }) => type));
	return given.length > 1 && types.size === 1
		? [{ type: given[0]?.type }]
		: given;
}

const isNull = ({ type }: JsonSchema) => type === "null";

/** Whether a member may be null: it can then be cleared. */
export const isNullable = ({ type, anyOf }: JsonSchema): boolean =>
	(Array.isArray(type) && type.includes("null")) ||
	((anyOf ?? []) as JsonSchema[]).some(isNull);

/**
 * A member of an operation's input as a tool shows it: short, without null, which a model sends unasked and which means
 * "not given" (decisions §8).
 */
export function toToolSchema(schema: JsonSchema): JsonSchema {
	const { anyOf, ...rest } = schema;
	const given = ((anyOf ?? []) as JsonSchema[]).filter((one) => !isNull(one));
	// A set may also be one text, separated by commas: a list says better what is meant.
	const list = given.filter(({ type }) => type === "array");
	const alternatives = list.length === 1 ? list : withoutFormats(given);
	const [only, ...others] = alternatives;
	if (only && others.length === 0) return toToolSchema({ ...rest, ...only });
	const merged = { ...rest, ...(anyOf ? { anyOf: alternatives } : {}) };
	return Object.fromEntries(
		Object.entries(merged)
			.filter(([key, value]) => !SILENT.has(key) && !isBound(value))
			.map(([key, value]) => [key, toShort(key, value)]),
	);
}

function toShort(key: string, value: unknown): unknown {
	if (key === "type" && Array.isArray(value))
		return value.filter((type) => type !== "null")[0];
	if (key === "properties") return mapSchemas(value as JsonSchema);
	if (key === "items") return toToolSchema(value as JsonSchema);
	if (key === "anyOf") return (value as JsonSchema[]).map(toToolSchema);
	return value;
}

const mapSchemas = (properties: JsonSchema): JsonSchema =>
	Object.fromEntries(
		Object.entries(properties).map(([name, schema]) => [
			name,
			toToolSchema(schema as JsonSchema),
		]),
	);
