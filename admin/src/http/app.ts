import {
	ApiError,
	notFound,
	OPERATION_IDS,
	type OperationId,
	operations,
} from "@partnerwire/contract";
import type { Core } from "@partnerwire/core";
import { getRequestIP, H3, type H3Event } from "h3";
import type { Metrics } from "../metrics/metrics.ts";
import { authorize } from "./authorize.ts";
import { toErrorResponse } from "./errors.ts";
import { answerMetrics } from "./metrics.ts";
import { serveOpenApi } from "./openapi.ts";
import {
	createRateLimit,
	type RateState,
	refuseExceeded,
} from "./rate-limit.ts";
import { readInput } from "./read-input.ts";

export interface AppOptions {
	/** Requests per key and minute; 0 switches the limit off (spec, Limits). */
	readonly rateLimit?: number;
	/** Requests with an unknown key per address and minute; 0 switches the limit off (decisions §1: rate limit). */
	readonly failureLimit?: number;
	/** Served at `/metrics`, and told of every answer; without them there is no such path. */
	readonly metrics?: Metrics;
	/** Who shows it may read the metrics from anywhere. */
	readonly metricsToken?: string | undefined;
	/** A fault that is ours, not the caller's. */
	readonly onFault?: (error: unknown) => void;
}

const API_PATH = /^\/(?:api\/)?v1(?:\/|$)/;

/**
 * The HTTP side of the service: one route per row of the operation table, and the health checks.
 *
 * @example
 * const response = await createApp(core).request("/v1/leads", { headers: { authorization: "Bearer pwk_…" } });
 */
export function createApp(core: Core, options: AppOptions = {}): H3 {
	const o = {
		rateLimit: 500,
		failureLimit: 500,
		onFault: () => {},
		...options,
	};
	const countRequest = createRateLimit(o.rateLimit);
	const countFailure = createRateLimit(o.failureLimit);
	const app = new H3({
		onError: (error, event) =>
			guarded(async () => {
				// A path with broken percent-encoding reaches no route; a caller without a key is still told that first.
				if (API_PATH.test(event.url.pathname)) await admit(event);
				throw error.unhandled ? error.cause : error;
			})(event) as Promise<Response>,
	});

	/** Answers errors itself, because h3 drops the headers that were already set from an answer that is not ok. */
	const guarded =
		(handle: (event: H3Event) => Promise<unknown>) =>
		async (event: H3Event) => {
			try {
				return await handle(event);
			} catch (error) {
				const response = toErrorResponse(error, o.onFault);
				for (const [name, value] of event.res.headers)
					response.headers.set(name, value);
				return response;
			}
		};

	/** Tells the metrics of an answer. */
	const observed = (
		operation: string,
		handle: (event: H3Event) => Promise<unknown>,
	) => {
		const { metrics } = o;
		if (!metrics) return handle;
		return async (event: H3Event) => {
			const startedAt = performance.now();
			const answer = await handle(event);
			const status =
				answer instanceof Response ? answer.status : (event.res.status ?? 200);
			const durationMs = performance.now() - startedAt;
			metrics.onAnswer({ operation, status, durationMs });
			return answer;
		};
	};

	const admit = async (event: H3Event) => {
		const caller = await authorize(event.req, core).catch(async (refusal) => {
			// A request without a key guesses none.
			if (
				refusal instanceof ApiError &&
				event.req.headers.has("authorization")
			) {
				const address = getRequestIP(event) ?? "unknown";
				refuseExceeded(await countFailure(address), "failed authentications");
			}
			throw refusal;
		});
		const rate = await countRequest(caller.apiKeyUuid ?? caller.userUuid);
		setRateHeaders(event, rate);
		refuseExceeded(rate);
		return caller;
	};

	for (const id of OPERATION_IDS) {
		const operation = operations[id];
		const path = operation.path.replace(/\{(\w+)\}/g, ":$1");
		app.on(
			operation.method,
			path,
			observed(
				id,
				guarded(async (event) => {
					const caller = await admit(event);
					const idempotencyKey =
						event.req.headers.get("idempotency-key") ?? undefined;
					const result = await core.execute(
						id as OperationId,
						() => readInput(operation, event),
						caller,
						{
							idempotencyKey,
						},
					);
					event.res.status = operation.status;
					if (operation.secret)
						event.res.headers.set("cache-control", "no-store");
					return result === null ? answerNull(event) : result;
				}),
			),
		);
	}

	const unknownRoute = observed(
		"unknown",
		guarded(async (event) => {
			await admit(event);
			throw notFound("route");
		}),
	);
	app.all("/v1/**", unknownRoute).all("/api/v1/**", unknownRoute);

	serveOpenApi(app);
	const { metrics, metricsToken: token } = o;
	if (metrics) {
		const onWrongToken = async (address: string) =>
			refuseExceeded(await countFailure(address), "failed authentications");
		app.get(
			"/metrics",
			guarded((event) =>
				answerMetrics(event, metrics, { token, onWrongToken }),
			),
		);
	}
	app.get("/healthz", () => ({ status: "ok" }));
	app.get(
		"/readyz",
		guarded(async () => {
			await core.authenticate("");
			return { status: "ready" };
		}),
	);
	app.all(
		"/**",
		guarded(async () => {
			throw notFound("route");
		}),
	);
	return app;
}

/** h3 answers null with an empty body; here it is an answer, such as of a lead without a quote. */
function answerNull(event: H3Event): string {
	event.res.headers.set("content-type", "application/json");
	return "null";
}

function setRateHeaders(event: H3Event, state: RateState | null): void {
	if (!state) return;
	event.res.headers.set("RateLimit-Limit", String(state.limit));
	event.res.headers.set("RateLimit-Remaining", String(state.remaining));
	event.res.headers.set("RateLimit-Reset", String(state.resetS));
}
