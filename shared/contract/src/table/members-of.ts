import * as z from "zod";

/** The names of the members that an object's schema knows; none where there is no schema. */
export function membersOf(schema: z.ZodType | null): ReadonlySet<string> {
	if (schema instanceof z.ZodOptional || schema instanceof z.ZodPrefault)
		return membersOf(schema.unwrap() as z.ZodType);
	return new Set(Object.keys((schema as z.ZodObject | null)?.shape ?? {}));
}
