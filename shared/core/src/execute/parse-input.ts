import {
	ApiError,
	type ErrorDetail,
	findUnknown,
	membersOf,
	type Operation,
	tellMembers,
} from "@partnerwire/contract";
import type * as z from "zod";

/** An operation's input before parsing. */
export interface RawInput {
	readonly params?: unknown;
	readonly query?: unknown;
	readonly body?: unknown;
}

const PARTS = [
	["params", "path"],
	["query", "query"],
	["body", "body"],
] as const;

/**
 * Parses path, query and body together, so that one 400 names every invalid member
 * (docs/decisions.md#details-of-a-400). A strict request has members that the operation does not know refused, at any depth.
 */
export function parseInput(
	operation: Operation,
	raw: RawInput,
	{ isStrict = false } = {},
) {
	const details: ErrorDetail[] = [];
	const parsed: Record<string, unknown> = {};
	for (const [part, name] of PARTS) {
		const schema = operation[part];
		if (part !== "params" && (operation.exact || isStrict)) {
			const unknown = isStrict
				? findUnknown(schema, raw[part])
				: findUnknownMembers(schema, raw[part]);
			for (const member of unknown)
				details.push({
					field: `${name}/${member}`,
					reason: "invalid_value",
					message: "is not known here",
				});
		}
		if (!schema) continue;
		const input = raw[part] ?? (part === "body" ? undefined : {});
		const result = schema.safeParse(input);
		if (result.success) parsed[part] = result.data;
		// Not spread into one call: as arguments, about 100,000 issues overflow the stack.
		else
			for (const issue of result.error.issues)
				details.push(toDetail(name, input, issue));
	}
	if (details.length === 0)
		return parsed as { params: never; query: never; body: never };
	throw new ApiError("validation_error", tellMembers(details), { details });
}

/**
 * Finds members that an exact operation does not know. Ignoring them would make the operation apply to everything
 * (docs/decisions.md#exact-operations).
 */
const findUnknownMembers = (schema: z.ZodType | null, input: unknown) =>
	Object.keys(input ?? {}).filter((member) => !membersOf(schema).has(member));

function toDetail(
	part: string,
	input: unknown,
	issue: z.core.$ZodIssue,
): ErrorDetail {
	const missing = valueAt(input, issue.path) === undefined;
	return {
		field: [part, ...issue.path.map(String)].join("/"),
		reason: missing ? "missing_required" : "invalid_value",
		message: missing ? "is required" : toSentence(issue.message),
	};
}

const toSentence = (message: string) =>
	message.replace(/^Invalid (input|option): /, "");

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
	return path.reduce<unknown>(
		(at, key) =>
			typeof at === "object" && at !== null
				? (at as Record<PropertyKey, unknown>)[key]
				: undefined,
		value,
	);
}
