/* Messages of MCP, as any HTTP client sends them. */
import type { Api } from "#kit/program/api.ts";

export const toRequest = (
	method: string,
	params?: unknown,
	id: unknown = 1,
) => ({
	jsonrpc: "2.0",
	id,
	method,
	...(params !== undefined && { params }),
});

export interface Message {
	id: unknown;
	result?: { content: { text: string }[]; isError: boolean };
	error?: { code: number; message: string };
}

/** Sends messages to the API under test, or to another one. */
export function createMcp(api: () => Api) {
	async function send(
		message: unknown,
		{ headers = {}, at = api() }: { headers?: object; at?: Api } = {},
	) {
		const response = await fetch(`${at.url}/mcp`, {
			method: "POST",
			headers: {
				authorization: `Bearer ${at.seeded.keys.full}`,
				"content-type": "application/json",
				...headers,
			},
			body: typeof message === "string" ? message : JSON.stringify(message),
		});
		const text = await response.text();
		const body: unknown = text && JSON.parse(text);
		return { status: response.status, headers: response.headers, body };
	}

	const call = async (name: string, given: object) => {
		const { body } = await send(
			toRequest("tools/call", { name, arguments: given }),
		);
		return (body as Message).result?.content.map(({ text }) => text) ?? [];
	};

	return { send, call };
}
