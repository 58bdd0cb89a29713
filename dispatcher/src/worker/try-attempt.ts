import type { AttemptResult } from "../http/attempt-result.ts";
import { toOwnFailure } from "../http/failures.ts";
import { toUnanswered } from "../http/unanswered.ts";
import type { AttemptRequest, Wire } from "../http/wire.ts";

interface TryOptions {
	readonly wire: Pick<Wire, "attempt">;
	readonly clock: () => number;
	readonly onFault: (fault: unknown) => void;
}

/**
 * One attempt, which counts also when it ends by a fault of the program, such as the end of the thread that sends: else a
 * delivery that causes it would go again for ever. While the worker stops it was cut short.
 */
export async function tryAttempt(
	request: AttemptRequest,
	{ wire, clock, onFault }: TryOptions,
	isStopping: () => boolean,
): Promise<AttemptResult> {
	const startedAt = clock();
	try {
		return await wire.attempt(request);
	} catch (fault) {
		onFault(fault);
		const failure = toOwnFailure(isStopping() ? "aborted" : "interrupted");
		return toUnanswered(failure, startedAt, clock() - startedAt);
	}
}
