import { ApiError, notFound } from "@partnerwire/contract";
import type { Caller, Core } from "@partnerwire/core";
import { H3, type H3Event } from "h3";
import type { Dashboard } from "../dashboard/dashboard.ts";
import { createAnswering } from "../http/answering.ts";
import { authorize } from "../http/authorize.ts";
import { createCors } from "../http/cors.ts";
import { countedAddress } from "../http/counted-address.ts";
import { serveDocs } from "../http/docs.ts";
import { answerMetrics } from "../http/metrics.ts";
import { serveOpenApi } from "../http/openapi.ts";
import { serveOperations } from "../http/operation-routes.ts";
import { hasOneHost, plainPaths, targetOf } from "../http/plain-path.ts";
import {
	type CreateLimit,
	createRateLimit,
	refuseExceeded,
	setRateHeaders,
} from "../http/rate-limit.ts";
import { createReadiness } from "../http/readiness.ts";
import { serveMcp } from "../mcp/serve-mcp.ts";
import type { Metrics } from "../metrics/metrics.ts";

export interface AppOptions {
	/** Requests per key and minute; 0 switches the limit off (docs/contract.md#limits). */
	readonly rateLimit?: number;
	/** Requests with an unknown key per address and minute; 0 switches the limit off (docs/decisions.md#rate-limit). */
	readonly failureLimit?: number;
	/** Origins whose pages may call the API from a browser; none by default. */
	readonly corsOrigins?: readonly string[] | undefined;
	/** Counts every answer and is served at `/metrics`. Without it there is no such path. */
	readonly metrics?: Metrics;
	/** Requests with this token may read the metrics from anywhere. */
	readonly metricsToken?: string | undefined;
	/** Served at `/` and `/_admin`; without it there are no such paths. */
	readonly dashboard?: Dashboard;
	/** Creates the counters of the limits; by default in memory of the process. */
	readonly createLimit?: CreateLimit | undefined;
	/** Whether a worker of this process fails to reach the queue: it is not ready then. */
	readonly isWorkerTroubled?: () => boolean;
	/** Called for a fault of the service, not of the caller. */
	readonly onFault?: (error: unknown) => void;
}

const API_PATH = /^\/(?:api\/)?v1(?![\w.~-])/;

/**
 * The HTTP side of the service: one route per row of the operation table, the dashboard, and the health checks.
 *
 * @example
 * const response = await createApp(core).request("/v1/leads", { headers: { authorization: "Bearer pwk_…" } });
 */
export function createApp(core: Core, options: AppOptions = {}): H3 {
	const o = {
		rateLimit: 500,
		failureLimit: 500,
		isWorkerTroubled: () => false,
		onFault: () => {},
		...options,
	};
	const createLimit =
		o.createLimit ?? ((_, limit) => createRateLimit(limit, core.clock));
	const countRequest = createLimit("request", o.rateLimit);
	const countFailure = createLimit("failure", o.failureLimit);
	const answering = createAnswering(o.onFault, o.metrics);
	const { guarded } = answering;
	const cors = o.corsOrigins?.length ? createCors(o.corsOrigins) : null;
	const app = new H3({
		onRequest(event) {
			cors?.setHeaders(event);
			plainPaths.onRequest(event);
		},
		onError: (error, event) =>
			guarded(async () => {
				// A refused path reaches no route. Below the API a caller without a valid key gets 401 first (docs/decisions.md#paths).
				if (hasOneHost(event) && API_PATH.test(targetOf(event)))
					await admit(event);
				throw error.unhandled ? error.cause : error;
			})(event) as Promise<Response>,
	});

	if (cors) app.use(cors.answerPreflight);

	const refuseGuesses = async (event: H3Event) => {
		const address = countedAddress(event);
		refuseExceeded(await countFailure(address), "failed authentications");
	};

	const count = async (event: H3Event, caller: Caller, requests?: number) => {
		const rate = await countRequest(
			caller.apiKeyUuid ?? caller.userUuid,
			requests,
		);
		setRateHeaders(event, rate);
		refuseExceeded(rate);
	};

	const admit = async (event: H3Event) => {
		const caller = await authorize(event.req, core).catch(async (refusal) => {
			// A request without a key is not a guess: it is not counted.
			if (refusal instanceof ApiError && event.req.headers.has("authorization"))
				await refuseGuesses(event);
			throw refusal;
		});
		await count(event, caller);
		return caller;
	};

	serveOperations(app, core, answering, { prefix: "", admit });
	serveMcp(app, core, { admit, count, guarded, onFault: o.onFault });
	serveOpenApi(app, answering);
	serveDocs(app, answering);
	const { metrics, metricsToken: token } = o;
	if (metrics) {
		const answer = guarded((event) =>
			answerMetrics(event, metrics, { token, onWrongToken: refuseGuesses }),
		);
		app.get("/metrics", answer).head("/metrics", answer);
	}
	const health = () => ({ status: "ok" });
	const checkReady = createReadiness(core, o.isWorkerTroubled);
	const readiness = guarded(async () => {
		await checkReady();
		return { status: "ready" };
	});
	app.get("/healthz", health).head("/healthz", health);
	app.get("/readyz", readiness).head("/readyz", readiness);
	o.dashboard?.serve(app, answering, {
		countRequest,
		createLimit,
		refuseGuesses,
	});
	app.all(
		"/**",
		guarded(async () => {
			throw notFound("route");
		}),
	);
	return app;
}
