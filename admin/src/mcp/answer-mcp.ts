import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
	CallToolRequestSchema,
	ErrorCode,
	InitializeRequestSchema,
	isJSONRPCRequest,
	JSONRPCMessageSchema,
	type JSONRPCRequest,
	ListToolsRequestSchema,
	RequestIdSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { ApiError } from "@partnerwire/contract";
import type { Caller, Core } from "@partnerwire/core";
import type { H3Event } from "h3";
import { toErrorResponse } from "../http/errors.ts";
import { readJson } from "../http/read-input.ts";
import { createMcpServer } from "./create-mcp-server.ts";

/** The most messages of one batch, as in the SDK. */
const MOST_MESSAGES = 100;

/** The version of the protocol that has no batches any more. Clients name theirs from that version on. */
const WITHOUT_BATCHES = "2025-06-18";

const NO_MESSAGE =
	'a message must be an object with jsonrpc "2.0", a method as text, an id as text or an integer unless it is a notification, params, if any, as an object, and nothing else';

const NO_BODY = new ApiError("validation_error", "body: is required");

/** The params of each method. Left to the SDK, wrong ones would be faults of the server, told by a dump of its schemas. */
const PARAMS = new Map([
	[
		"initialize",
		{
			schema: InitializeRequestSchema,
			wanted: "protocolVersion, capabilities and clientInfo",
		},
	],
	[
		"tools/list",
		{ schema: ListToolsRequestSchema, wanted: "nothing, or a cursor as text" },
	],
	[
		"tools/call",
		{
			schema: CallToolRequestSchema,
			wanted: "the tool's name as text, and its arguments as an object",
		},
	],
]);

export interface AnswerMcpOptions {
	/** Counts the messages of a batch beyond the first; throws 429. */
	readonly countMore: (messages: number) => Promise<void>;
	readonly onFault: (error: unknown) => void;
}

/**
 * Answers a message of the Streamable HTTP transport, or a batch of them, as JSON. Nothing is kept between requests, so
 * that notifications have no effect.
 */
export async function answerMcp(
	event: H3Event,
	core: Core,
	caller: Caller,
	{ countMore, onFault }: AnswerMcpOptions,
): Promise<Response> {
	const refuse = (code: ErrorCode, error: ApiError, id: unknown = null) =>
		Response.json(
			toError(id, code, error.message),
			toErrorResponse(error, onFault),
		);
	const invalid = (message: string, id?: unknown) =>
		refuse(
			ErrorCode.InvalidRequest,
			new ApiError("validation_error", message),
			id,
		);
	const parsedBody = await readJson(event.req)
		.then((json) => (json === undefined ? NO_BODY : json))
		.catch(toRefusal);
	if (parsedBody instanceof ApiError)
		return refuse(ErrorCode.ParseError, parsedBody);
	const isBatch = Array.isArray(parsedBody);
	if (isBatch) {
		const version = event.req.headers.get("mcp-protocol-version") ?? "";
		if (version >= WITHOUT_BATCHES)
			return invalid(
				`the protocol has no batches since its version ${WITHOUT_BATCHES}: send each message alone`,
			);
		if (!isRightBatch(parsedBody))
			return invalid(
				`a batch must have 1 to ${MOST_MESSAGES} messages, and its requests different ids`,
			);
		if (parsedBody.length > 1) await countMore(parsedBody.length - 1);
	} else if (!isMessage(parsedBody))
		return invalid(NO_MESSAGE, findId(parsedBody));
	const messages: unknown[] = [parsedBody].flat();
	const refused = messages
		.filter((one) => !isMessage(one))
		.map((one) => toError(findId(one), ErrorCode.InvalidRequest, NO_MESSAGE));
	if (refused.length === messages.length) return Response.json(refused);
	const transport = new WebStandardStreamableHTTPServerTransport({
		enableJsonResponse: true,
	});
	const server = createMcpServer(core, caller, onFault);
	await server.connect(transport);
	const answer = transport.onmessage;
	transport.onmessage = (message, extra) => {
		// A request that another message of its batch cancels would never be answered.
		if (!isJSONRPCRequest(message)) return;
		const problem = findProblem(message);
		if (problem === undefined) answer?.(message, extra);
		else
			void transport.send(
				toError(message.id, ErrorCode.InvalidParams, problem),
			);
	};
	// Answers are JSON, whatever the client accepts, as those of the REST API are. The SDK refuses all that do not accept both.
	const headers = new Headers(event.req.headers);
	headers.set("accept", "application/json, text/event-stream");
	const { url, method } = event.req;
	try {
		const response = await transport.handleRequest(
			new Request(url, { method, headers }),
			{ parsedBody: isBatch ? messages.filter(isMessage) : parsedBody },
		);
		if (!isBatch || response.status >= 400) return response;
		// The SDK answers a batch of one request as if it were no batch, and one of notifications without a body.
		const answers = response.body ? [await response.json()].flat() : [];
		return answers.length + refused.length === 0
			? response
			: Response.json([...answers, ...refused]);
	} finally {
		await server.close();
	}
}

function toRefusal(error: unknown): ApiError {
	if (error instanceof ApiError) return error;
	throw error;
}

const toError = <Id>(id: Id, code: ErrorCode, message: string) => ({
	jsonrpc: "2.0" as const,
	id,
	error: { code, message },
});

const isMessage = (value: unknown): boolean =>
	JSONRPCMessageSchema.safeParse(value).success;

/** The id of what is no message, if it has one that an answer can name. */
function findId(value: unknown): string | number | null {
	const { id } = Object(value) as { id?: unknown };
	return RequestIdSchema.safeParse(id).data ?? null;
}

/** Requests of one id would get one answer. */
function isRightBatch(batch: readonly unknown[]): boolean {
	if (batch.length === 0 || batch.length > MOST_MESSAGES) return false;
	const ids = batch.filter(isJSONRPCRequest).map(({ id }) => id);
	return new Set(ids).size === ids.length;
}

/** What is wrong with the params of a request, as a sentence. */
function findProblem(request: JSONRPCRequest): string | undefined {
	const { method } = request;
	const known = PARAMS.get(method);
	if (!known || known.schema.safeParse(request).success) return undefined;
	return `the params of ${method} must be an object with ${known.wanted}`;
}
