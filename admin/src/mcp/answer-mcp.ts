import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { Caller, Core } from "@partnerwire/core";
import type { H3Event } from "h3";
import { readJsonBody } from "../http/read-input.ts";
import { createMcpServer } from "./create-mcp-server.ts";

/** Answers one message of the Streamable HTTP transport as JSON. Nothing is kept between requests. */
export async function answerMcp(
	event: H3Event,
	core: Core,
	caller: Caller,
	onFault: (error: unknown) => void,
): Promise<Response> {
	const parsedBody = await readJsonBody(event.req);
	const transport = new WebStandardStreamableHTTPServerTransport({
		enableJsonResponse: true,
	});
	const server = createMcpServer(core, caller, onFault);
	await server.connect(transport);
	try {
		return await transport.handleRequest(event.req, { parsedBody });
	} finally {
		await server.close();
	}
}
