import type { H3Event } from "h3";
import type { Metrics } from "../metrics/metrics.ts";
import { toErrorResponse } from "./errors.ts";

export type Handle = (event: H3Event) => Promise<unknown>;

/** What every route does with what its handler answers or throws. */
export interface Answering {
	/** Answers errors itself, because h3 drops the headers that were already set from an answer that is not ok. */
	guarded(handle: Handle): Handle;
	/** Tells the metrics of an answer, by the name of what was asked for. */
	observed(operation: string, handle: Handle): Handle;
}

export function createAnswering(
	onFault: (error: unknown) => void,
	metrics: Metrics | undefined,
): Answering {
	return {
		guarded: (handle) => async (event) => {
			try {
				return await handle(event);
			} catch (error) {
				const response = toErrorResponse(error, onFault);
				for (const [name, value] of event.res.headers)
					response.headers.set(name, value);
				return response;
			}
		},
		observed(operation, handle) {
			if (!metrics) return handle;
			return async (event) => {
				const startedAt = performance.now();
				const answer = await handle(event);
				const status =
					answer instanceof Response
						? answer.status
						: (event.res.status ?? 200);
				const durationMs = performance.now() - startedAt;
				metrics.onAnswer({ operation, status, durationMs });
				return answer;
			};
		},
	};
}
