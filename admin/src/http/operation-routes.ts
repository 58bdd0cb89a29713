import {
	notFound,
	OPERATION_IDS,
	type OperationId,
	operations,
	STALENESS_HEADER,
} from "@partnerwire/contract";
import type { Caller, Core } from "@partnerwire/core";
import type { H3, H3Event } from "h3";
import type { Answering } from "./answering.ts";
import { setIgnoredHeader, takeStrictness } from "./ignored-members.ts";
import { readInput } from "./read-input.ts";

export interface OperationRoutes {
	/** The path before `/v1` and `/api/v1`. */
	readonly prefix: "" | "/_admin";
	/** Finds the caller, or throws the refusal. */
	admit(event: H3Event): Promise<Caller>;
}

/** Serves every row of the operation table below a prefix. Any other path is 404. */
export function serveOperations(
	app: H3,
	core: Core,
	{ guarded, observed }: Answering,
	{ prefix, admit }: OperationRoutes,
): void {
	for (const id of OPERATION_IDS) {
		const operation = operations[id];
		const path = operation.path.replace(/\{(\w+)\}/g, ":$1");
		const answer = guarded(async (event) => {
			const caller = await admit(event);
			const idempotencyKey =
				event.req.headers.get("idempotency-key") ?? undefined;
			const isStrict = takeStrictness(event);
			const result = await core.execute(
				id as OperationId,
				async () => {
					const input = await readInput(operation, event);
					if (!isStrict) setIgnoredHeader(event, operation, input);
					return input;
				},
				caller,
				{ idempotencyKey, isStrict, onReplica: toOnReplica(event) },
			);
			event.res.status = operation.status;
			if (operation.secret) event.res.headers.set("cache-control", "no-store");
			return result === null ? answerNull(event) : result;
		});
		const observedAnswer = observed(id, answer);
		app.on(operation.method, prefix + path, observedAnswer);
		// RFC 9110 §9.3.2. The server leaves the body out.
		if (operation.method === "GET") app.head(prefix + path, observedAnswer);
	}
	const unknownRoute = observed(
		"unknown",
		guarded(async (event) => {
			await admit(event);
			throw notFound("route");
		}),
	);
	app
		.all(`${prefix}/v1/**`, unknownRoute)
		.all(`${prefix}/api/v1/**`, unknownRoute);
}

const NO_CACHE = /(?:^|,)\s*no-cache\s*(?:,|$)/i;

/** Lets a read replica answer, unless the caller wants its own newest changes (docs/scale.md#read-replica). */
function toOnReplica({ req, res }: H3Event) {
	if (NO_CACHE.test(req.headers.get("cache-control") ?? "")) return undefined;
	return (stalenessMs: number) =>
		res.headers.set(
			STALENESS_HEADER,
			(Math.ceil(stalenessMs / 100) / 10).toFixed(1),
		);
}

/** h3 would answer null with an empty body. Here null is an answer, such as for a lead without a quote. */
function answerNull(event: H3Event): string {
	event.res.headers.set("content-type", "application/json");
	return "null";
}
