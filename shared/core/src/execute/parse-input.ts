import {
	ApiError,
	type ErrorDetail,
	membersOf,
	type Operation,
} from "@partnerwire/contract";
import type { z } from "zod";

/** An operation's input as it came in. */
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

/** Parses path, query and body together, so that one 400 names every invalid member (decisions §1). */
export function parseInput(operation: Operation, raw: RawInput) {
	const details: ErrorDetail[] = [];
	const parsed: Record<string, unknown> = {};
	for (const [part, name] of PARTS) {
		const schema = operation[part];
		if (operation.exact && part !== "params")
			details.push(...toUnknown(name, schema, raw[part]));
		if (!schema) continue;
		const given = raw[part] ?? (part === "body" ? undefined : {});
		const result = schema.safeParse(given);
		if (result.success) parsed[part] = result.data;
		// Not spread into one call: the arguments of some 100,000 issues overflow the stack.
		else
			for (const issue of result.error.issues)
				details.push(toDetail(name, given, issue));
	}
	if (details.length === 0)
		return parsed as { params: never; query: never; body: never };
	const message = details
		.map(({ field, message }) => `${field}: ${message}`)
		.join("; ");
	throw new ApiError("validation_error", message, { details });
}

/** Members that an exact operation does not know: what they were to narrow would be everything. */
const toUnknown = (
	part: string,
	schema: z.ZodType | null,
	given: unknown,
): ErrorDetail[] =>
	Object.keys(given ?? {})
		.filter((member) => !membersOf(schema).has(member))
		.map((member) => ({
			field: `${part}/${member}`,
			reason: "invalid_value",
			message: "is not known here",
		}));

function toDetail(
	part: string,
	given: unknown,
	issue: z.core.$ZodIssue,
): ErrorDetail {
	const missing = valueAt(given, issue.path) === undefined;
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
