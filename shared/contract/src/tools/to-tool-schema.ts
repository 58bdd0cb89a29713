import type { JsonSchema } from "../openapi/to-json-schema.ts";

/** Keywords that a tool's schema leaves out: they tell an assistant nothing, and the server checks them anyway. */
const SILENT = new Set([
	"$schema",
	"additionalProperties",
	"maxLength",
	"minLength",
	"pattern",
]);
const isBound = (value: unknown) =>
	Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;

/** Merges alternatives of one type, such as a date or a time: a model need not tell them apart. */
function withoutFormats(alternatives: JsonSchema[]): JsonSchema[] {
	const types = new Set(alternatives.map(({ type }) => type));
	return alternatives.length > 1 && types.size === 1
		? [{ type: alternatives[0]?.type }]
		: alternatives;
}

const isNull = ({ type }: JsonSchema) => type === "null";

/** Whether a member may be null, so that `clear` may name it. */
export const isNullable = ({ type, anyOf }: JsonSchema): boolean =>
	(Array.isArray(type) && type.includes("null")) ||
	((anyOf ?? []) as JsonSchema[]).some(isNull);

/**
 * A member of an operation's input as a tool shows it: short and without null. Models send null unasked, so it means
 * "not given" (docs/mcp.md).
 */
export function toToolSchema(schema: JsonSchema): JsonSchema {
	const { anyOf, ...rest } = schema;
	const nonNull = ((anyOf ?? []) as JsonSchema[]).filter(
		(alternative) => !isNull(alternative),
	);
	// The API also takes a set as one text, separated by commas. The tool offers the list only: it is clearer.
	const list = nonNull.filter(({ type }) => type === "array");
	const alternatives = list.length === 1 ? list : withoutFormats(nonNull);
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
