import { ApiError, type ErrorDetail, tellMembers } from "@partnerwire/contract";
import type * as z from "zod";

/** Parses a value, or throws a 400 that names every invalid member, as the API does. */
export function parseWith<Schema extends z.ZodType>(
	schema: Schema,
	value: unknown,
	part = "body",
): z.output<Schema> {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	const toDetail = (path: PropertyKey[], message: string): ErrorDetail => ({
		field: [part, ...path.map(String)].join("/"),
		reason: "invalid_value",
		message,
	});
	const details = result.error.issues.flatMap((issue) =>
		issue.code === "unrecognized_keys"
			? issue.keys.map((key) =>
					toDetail([...issue.path, key], "is not known here"),
				)
			: [toDetail(issue.path, issue.message)],
	);
	throw new ApiError("validation_error", tellMembers(details), { details });
}
