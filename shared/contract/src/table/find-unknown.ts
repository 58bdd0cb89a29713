import * as z from "zod";

/**
 * Finds the members of an input that its schema does not know, at any depth: `name`, `line_items/0/colour`. They are ignored
 * unless a request asks for strictness (docs/decisions.md#unknown-members-and-parameters).
 */
export function* findUnknown(
	schema: z.ZodType | null,
	input: unknown,
	path = "",
): Generator<string> {
	// Most members are plain values: they end here.
	if (typeof input !== "object" || input === null) return;
	if (
		schema instanceof z.ZodOptional ||
		schema instanceof z.ZodNullable ||
		schema instanceof z.ZodDefault ||
		schema instanceof z.ZodPrefault
	)
		yield* findUnknown(schema.unwrap() as z.ZodType, input, path);
	else if (schema instanceof z.ZodPipe)
		yield* findUnknown(schema.in as z.ZodType, input, path);
	else if (schema instanceof z.ZodUnion) {
		const options = schema.options as readonly z.ZodType[];
		const taken = options.find((option) => option.safeParse(input).success);
		if (taken) yield* findUnknown(taken, input, path);
	} else if (schema instanceof z.ZodArray && Array.isArray(input))
		for (const [at, item] of input.entries())
			yield* findUnknown(schema.element as z.ZodType, item, `${path}${at}/`);
	else if (schema === null || schema instanceof z.ZodObject) {
		const shape: Readonly<Record<string, z.ZodType>> = schema?.shape ?? {};
		for (const [name, value] of Object.entries(input))
			if (Object.hasOwn(shape, name))
				yield* findUnknown(shape[name] ?? null, value, `${path}${name}/`);
			else yield path + name;
	}
}
