import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
	CallToolRequestSchema,
	type CallToolResult,
	ErrorCode,
	ListToolsRequestSchema,
	McpError,
} from "@modelcontextprotocol/sdk/types.js";
import {
	createTools,
	operations,
	TOOL_NAMES,
	type ToolName,
	toOperationInput,
} from "@partnerwire/contract";
import type { Caller, Core } from "@partnerwire/core";
import { version } from "../assets/version.ts";
import { toApiError } from "../http/errors.ts";
import { toContent } from "./to-content.ts";

const INSTRUCTIONS = [
	"Partnerwire manages a company's partners, their leads and deals, and the webhooks that tell of them.",
	"Records are named by uuid; find them with the list tools. Times are ISO 8601 UTC, amounts are in whole currency units.",
	"A member that is null or left out is not changed; an update's `clear` empties members.",
].join(" ");

const TOOLS = createTools();

/**
 * Creates the MCP server for one request: it has the tools that the caller's key may use (docs/mcp.md). `execute()` runs
 * each of them, as for any other surface.
 */
export function createMcpServer(
	core: Core,
	caller: Caller,
	onFault: (error: unknown) => void,
): Server {
	const server = new Server(
		{ name: "partnerwire", version },
		{ capabilities: { tools: {} }, instructions: INSTRUCTIONS },
	);
	server.setRequestHandler(ListToolsRequestSchema, () => ({
		tools: TOOLS.filter(({ name }) => caller[operations[name].permission]),
	}));
	server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
		call(params.name, params.arguments ?? {}),
	);

	async function call(
		name: string,
		members: Readonly<Record<string, unknown>>,
	): Promise<CallToolResult> {
		if (!isTool(name))
			throw new McpError(ErrorCode.InvalidParams, `there is no tool ${name}`);
		try {
			const input = async () => toOperationInput(operations[name], members);
			return toResult(await core.execute(name, input, caller), false);
		} catch (error) {
			const known = toApiError(error);
			if (known.status >= 500) onFault(error);
			return toResult(known.toBody(), true);
		}
	}

	return server;
}

const isTool = (name: string): name is ToolName =>
	(TOOL_NAMES as readonly string[]).includes(name);

const toResult = (answer: unknown, isError: boolean): CallToolResult => ({
	content: toContent(answer),
	isError,
});
