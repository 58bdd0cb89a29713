import type { Caller, Core } from "@partnerwire/core";
import { requireModule } from "@partnerwire/core";
import type { H3, H3Event } from "h3";

type Handle = (event: H3Event) => Promise<unknown>;

export interface McpOptions {
	/** The caller behind the API key, counted in its rate window; throws 401 and 429. */
	readonly admit: (event: H3Event) => Promise<Caller>;
	/** Counts the further messages of a batch; throws 429. */
	readonly count: (
		event: H3Event,
		caller: Caller,
		messages: number,
	) => Promise<void>;
	readonly guarded: (handle: Handle) => Handle;
	readonly onFault: (error: unknown) => void;
}

/**
 * Serves MCP at `/mcp` (docs/contract.md#what-the-service-does): 401 without a key, 403 `module_disabled` without the module
 * `api_mcp`. There are no streams and no sessions, so methods other than POST are 405, as the transport requires.
 */
export function serveMcp(
	app: H3,
	core: Core,
	{ admit, count, guarded, onFault }: McpOptions,
): void {
	const enter = async (event: H3Event) => {
		const caller = await admit(event);
		await requireModule("api_mcp", caller, core.store.read);
		return caller;
	};
	app.post(
		"/mcp",
		guarded(async (event) => {
			const caller = await enter(event);
			// Loaded with the first message, so that a service without MCP clients starts faster.
			const { answerMcp } = await import("./answer-mcp.ts");
			return answerMcp(event, core, caller, {
				countMore: (messages) => count(event, caller, messages),
				onFault,
			});
		}),
	);
	app.all(
		"/mcp",
		guarded(async (event) => {
			await enter(event);
			return new Response(null, { status: 405, headers: { allow: "POST" } });
		}),
	);
}
