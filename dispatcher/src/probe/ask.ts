import { AttemptHandler } from "../http/attempt-handler.ts";
import type { AttemptResult } from "../http/attempt-result.ts";
import type { createConnector } from "../http/connections/connector.ts";
import { TrackedClient } from "../http/connections/tracked-client.ts";
import { CutError } from "../http/cut-error.ts";
import { USER_AGENT } from "../http/user-agent.ts";

export interface AskOptions {
	readonly connect: ReturnType<typeof createConnector>;
	readonly timeoutMs: number;
	readonly signal: AbortSignal;
	readonly clock: () => number;
}

/**
 * Sends a HEAD request, the method that promises to change nothing, over a connection that is closed afterwards. The answer has the
 * same bounds as that of a delivery. Never rejects because of the network or the server.
 */
export function ask(
	{ origin, pathname, search }: URL,
	{ connect, timeoutMs, signal, clock }: AskOptions,
): Promise<AttemptResult> {
	return new Promise<AttemptResult>((resolve) => {
		const start = { clockMs: clock(), monotonicMs: performance.now() };
		let timer: NodeJS.Timeout | undefined;
		const cut = () => handler.cut(new CutError("ABORTED"));
		const handler = new AttemptHandler(
			{
				onSent() {
					timer = setTimeout(
						() => handler.cut(new CutError("ANSWER_TIMEOUT")),
						timeoutMs,
					);
				},
				onEnd() {
					clearTimeout(timer);
					signal.removeEventListener("abort", cut);
					resolve(handler.toResult(start, false));
				},
			},
			[],
		);
		signal.addEventListener("abort", cut);
		const client = new TrackedClient(origin, connect);
		client.dispatch(
			{
				path: pathname + search,
				method: "HEAD",
				headers: ["user-agent", USER_AGENT],
				reset: true,
				user: handler,
			},
			handler,
		);
		void client.close();
	});
}
