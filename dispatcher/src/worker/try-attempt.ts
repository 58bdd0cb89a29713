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
 * Makes one attempt. It counts as failed also if a fault of the program ends it, such as the end of the sending thread: otherwise a
 * delivery that causes the fault would be sent again and again. While the worker stops it does not count, because it was cut short.
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
