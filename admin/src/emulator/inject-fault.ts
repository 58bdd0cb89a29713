import { setTimeout as wait } from "node:timers/promises";
import { ApiError } from "@partnerwire/contract";
import type { H3Event } from "h3";
import { toErrorResponse } from "../http/errors.ts";
import type { RequestFault } from "./fault-rules.ts";

type Run = () => Promise<unknown>;

/** Answers a request as a fault says: instead of running it, after running it, or later. */
export async function injectFault(
	fault: RequestFault,
	event: H3Event,
	run: Run,
	signal: AbortSignal,
): Promise<unknown> {
	if (fault.kind === "slow") {
		// Cut short by a reset, which throws away what the answer would be about, and by the end, after which nothing runs.
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
	// What a service that restarts, or what stands before it, answers; the table of errors has no code for it.
	const headers = { "retry-after": String(retryAfterS) };
	return Response.json(body, { status: 503, headers });
}

/** A fault that was asked for is none of the service's own. */
const ignore = () => {};
