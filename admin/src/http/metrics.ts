import { ApiError, notFound } from "@partnerwire/contract";
import { H3, type H3Event } from "h3";
import type { Metrics } from "../metrics/metrics.ts";
import { toErrorResponse } from "./errors.ts";
import { isEqual } from "./is-equal.ts";
import { isLocal } from "./is-local.ts";
import { plainPaths } from "./plain-path.ts";

export interface MetricsAccess {
	/** Requests with this token may come from anywhere. Without a token only this machine may read. */
	readonly token?: string | undefined;
	/** Throws when an address has shown too many wrong tokens. */
	readonly onWrongToken: (event: H3Event) => Promise<void>;
}

/** Refuses everybody but this machine and holders of the token (docs/decisions.md#metrics). */
async function admitToMetrics(
	event: H3Event,
	{ token, onWrongToken }: MetricsAccess,
): Promise<void> {
	if (token === undefined) {
		if (isLocal(event)) return;
		throw notFound("route");
	}
	const header = event.req.headers.get("authorization");
	if (header === null && isLocal(event)) return;
	const [, shown = ""] = /^bearer[ \t]+(\S+)$/i.exec(header ?? "") ?? [];
	if (isEqual(shown, token)) return;
	if (header !== null) await onWrongToken(event);
	throw new ApiError(
		"unauthorized",
		"the metrics need their token: Authorization: Bearer <token>",
	);
}

/** Answers the metrics of this process. */
export async function answerMetrics(
	event: H3Event,
	metrics: Metrics,
	access: MetricsAccess,
): Promise<string> {
	await admitToMetrics(event, access);
	const text = await metrics.render();
	event.res.headers.set("content-type", metrics.contentType);
	event.res.headers.set("cache-control", "no-store");
	return text;
}

/** The metrics of a process that serves nothing else. */
export function createMetricsApp(
	metrics: Metrics,
	access: MetricsAccess,
	onFault: (error: unknown) => void,
): H3 {
	const answering =
		(handle: (event: H3Event) => Promise<unknown>) => (event: H3Event) =>
			handle(event).catch((error) => toErrorResponse(error, onFault));
	const answer = answering((event) => answerMetrics(event, metrics, access));
	return new H3({
		...plainPaths,
		onError: (error) =>
			toErrorResponse(error.unhandled ? error.cause : error, onFault),
	})
		.get("/metrics", answer)
		.head("/metrics", answer)
		.all(
			"/**",
			answering(async () => {
				throw notFound("route");
			}),
		);
}
