import type * as z from "zod";
import { type JsonSchema, toJsonSchema } from "../openapi/to-json-schema.ts";
import { operations } from "../operations.ts";
import type { Operation } from "../table/operation.ts";
import { isNullable, toToolSchema } from "./to-tool-schema.ts";
import { TOOL_NAMES, TOOLS, type ToolName } from "./tools.ts";

/** A longer answer of a tool is shortened: assistants take about 25,000 tokens at once (docs/mcp.md#long-answers). */
export const MAX_TOOL_ANSWER_BYTES = 50_000;

const PAGE_SIZE = `Records are long: an answer over ${MAX_TOOL_ANSWER_BYTES / 1000} kB has fewer, and says how to go on.`;

/** An operation as an MCP tool: its path, query and body members in one object. Its name is the operationId. */
export interface Tool {
	readonly name: ToolName;
	readonly title: string;
	readonly description: string;
	readonly inputSchema: {
		readonly type: "object";
		readonly properties: Record<string, JsonSchema>;
		readonly required?: string[];
	};
	readonly annotations: {
		readonly readOnlyHint: boolean;
		readonly destructiveHint: boolean;
		readonly idempotentHint: boolean;
		/** True if the operation uses the network. */
		readonly openWorldHint: boolean;
	};
}

/** The tools of the operation table (docs/mcp.md). An update also takes `clear`, the members to set to null. */
export const createTools = (): readonly Tool[] => TOOL_NAMES.map(toTool);

function toTool(name: ToolName): Tool {
	const operation: Operation = operations[name];
	const members = [operation.params, operation.query, operation.body].flatMap(
		toMembers,
	);
	const clearable =
		operation.method === "PATCH"
			? toMembers(operation.body).filter(({ schema }) => isNullable(schema))
			: [];
	const required = members.filter(({ isRequired }) => isRequired);
	return {
		name,
		title: operation.summary,
		description: TOOLS[name],
		inputSchema: {
			type: "object",
			properties: {
				...Object.fromEntries(
					members.map(({ name, schema }) => [
						name,
						{
							...toToolSchema(schema),
							...(name === "per_page" && { description: PAGE_SIZE }),
						},
					]),
				),
				...(clearable.length > 0 && { clear: toClear(clearable) }),
			},
			...(required.length > 0 && {
				required: required.map(({ name }) => name),
			}),
		},
		annotations: {
			readOnlyHint: operation.mode === "read",
			destructiveHint: operation.method === "PATCH",
			idempotentHint: operation.method !== "POST",
			openWorldHint: operation.mode === "action",
		},
	};
}

interface Member {
	readonly name: string;
	readonly schema: JsonSchema;
	readonly isRequired: boolean;
}

function toMembers(schema: z.ZodType | null): Member[] {
	if (!schema) return [];
	const { properties = {}, required = [] } = toJsonSchema(schema, "input") as {
		properties?: Record<string, JsonSchema>;
		required?: string[];
	};
	return Object.entries(properties).map(([name, schema]) => ({
		name,
		schema,
		isRequired: required.includes(name),
	}));
}

const toClear = (members: readonly Member[]): JsonSchema => ({
	type: "array",
	description: "Members to set to null.",
	items: { type: "string", enum: members.map(({ name }) => name) },
});
