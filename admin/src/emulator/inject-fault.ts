import { setTimeout as wait } from "node:timers/promises";
import { ApiError } from "@partnerwire/contract";
import type { H3Event } from "h3";
import { toErrorResponse } from "../http/errors.ts";
import type { RequestFault } from "./fault-rules.ts";

type Run = () => Promise<unknown>;

/** Applies a fault to a request: instead of running it, after running it, or after a delay. */
export async function injectFault(
	fault: RequestFault,
	event: H3Event,
	run: Run,
	signal: AbortSignal,
): Promise<unknown> {
	if (fault.kind === "slow") {
		// A reset or the end of the emulator cuts the delay short.
		await wait(fault.delay_ms, undefined, { signal }).catch(() => {});
		return run();
	}
	if (fault.executed) await run();
	return fault.kind === "drop" ? drop(event) : answer(fault);
}

/** Closes the connection without an answer. */
export function drop({ req }: H3Event): Response {
	req.runtime?.node?.req?.socket.destroy();
	return new Response(null, { status: 500 });
}

const SAID = "the emulator was asked for this fault";

function answer({ kind, retry_after_s: retryAfterS }: RequestFault): Response {
	if (kind === "429")
		return toErrorResponse(
			new ApiError("rate_limit_exceeded", SAID, { retryAfterS }),
			ignore,
		);
	const body = new ApiError("internal_error", SAID).toBody();
	if (kind !== "503") return Response.json(body, { status: 500 });
	// The answer of a restarting service or of a proxy before it. The API's table of errors has no code for it.
	const headers = { "retry-after": String(retryAfterS) };
	return Response.json(body, { status: 503, headers });
}

/** An injected fault is not reported as a fault of the service. */
const ignore = () => {};
