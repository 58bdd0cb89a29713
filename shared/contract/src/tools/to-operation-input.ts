import { ApiError } from "../table/api-error.ts";
import { membersOf } from "../table/members-of.ts";
import type { Operation } from "../table/operation.ts";

type Members = Readonly<Record<string, unknown>>;

/** The raw input of an operation. */
export interface ToolInput {
	readonly params: Members;
	readonly query: Members;
	readonly body?: Members;
}

/**
 * Turns a tool's arguments into the input of its operation: null means "not given", and `clear` names the members that
 * become null (docs/mcp.md). Throws a `validation_error` if a member is both cleared and given.
 */
export function toOperationInput(
	operation: Operation,
	{ clear, ...rest }: Members,
): ToolInput {
	const members = Object.entries(rest).filter(([, value]) => value !== null);
	const cleared = toCleared(clear, new Set(members.map(([name]) => name)));
	const params = membersOf(operation.params);
	const query = membersOf(operation.query);
	const pick = (isWanted: (name: string) => boolean) =>
		Object.fromEntries(members.filter(([name]) => isWanted(name)));
	return {
		params: pick((name) => params.has(name)),
		query: pick((name) => query.has(name)),
		...((operation.body || operation.exact) && {
			body: {
				...pick((name) => !params.has(name) && !query.has(name)),
				...cleared,
			},
		}),
	};
}

function toCleared(clear: unknown, given: ReadonlySet<string>): Members {
	if (clear === undefined || clear === null) return {};
	if (!Array.isArray(clear) || clear.some((name) => typeof name !== "string"))
		throw refuse("must be an array of member names");
	const both = clear.filter((name) => given.has(name));
	if (both.length > 0)
		throw refuse(`${both.join(", ")}: cannot be given and cleared`);
	return Object.fromEntries(clear.map((name) => [name, null]));
}

const refuse = (message: string) =>
	new ApiError("validation_error", `clear: ${message}`, {
		details: [{ field: "clear", reason: "invalid_value", message }],
	});
