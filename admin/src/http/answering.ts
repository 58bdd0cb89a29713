import type { H3Event } from "h3";
import type { Metrics } from "../metrics/metrics.ts";
import { toErrorResponse } from "./errors.ts";

export type Handle = (event: H3Event) => Promise<unknown>;

/** Wrappers that every route puts around its handler: one for errors, one for metrics. */
export interface Answering {
	/** Turns errors into answers. h3 would drop headers that were already set, such as those of the rate limit. */
	guarded(handle: Handle): Handle;
	/** Reports each answer to the metrics, under the operation's name. */
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
