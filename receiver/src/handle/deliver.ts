import { hasTimestamp, toEntityId } from "../body/entity.ts";
import type { EventContext, Handler } from "../common/context-types.ts";
import { PermanentFailure } from "../common/permanent-failure.ts";
import { ACKNOWLEDGED, toRefusal, type Verdict } from "../common/verdict.ts";
import type { ClaimRequest, DedupStore } from "../dedupe/dedup-store.ts";
import {
	createDedupe,
	type DedupClaim,
	type DedupeOptions,
	type WorkResult,
} from "../dedupe/dedupe.ts";
import { fail, remainingMs } from "../report/request-state.ts";
import { nameOf, type ReportOptions } from "../report/tell.ts";
import { createContext, type Delivery } from "./context.ts";
import { createQueue, runHandlers, whenLate } from "./run-handlers.ts";

/** The options for running handlers. */
export interface HandleOptions {
	/** The store that recognises duplicates: a memory store by default, `false` for none. */
	dedup?: DedupStore | false;
	/** Says that the sender gets its answer before the handlers run. Only an inbox can do that safely. */
	ackFirst?: boolean;
	/** How long a claim holds if its process dies. It must exceed the deadline. */
	leaseMs: number;
	/** After this time the sender gets a 503 and tries again later. It waits for an answer for 10 s. */
	deadlineMs: number;
	/** Handles the events of one record one after the other, within this process. */
	serialize: boolean;
	/** Called for events that a handler gave up with `PermanentFailure`. If it throws, the sender tries again. */
	onDeadLetter?: (failure: PermanentFailure, context: EventContext) => unknown;
}

/** Everything that delivering to handlers needs of a receiver's options. */
export type DeliverOptions = HandleOptions & DedupeOptions & ReportOptions;

/** The ids by which a store recognises a delivery. */
export function toClaimRequest({
	claims,
	entity,
	state,
}: Delivery): Omit<ClaimRequest, "leaseMs"> {
	return {
		fingerprint: state.fingerprint ?? "",
		deliveryId: claims.jti ? `${claims.company_uuid}/${claims.jti}` : null,
		entityId: toEntityId(claims.company_uuid, entity) ?? null,
		sequence: claims.sequence ?? null,
		supersedes: !claims.jti && !hasTimestamp(entity),
	};
}

/** Runs the handlers once for each verified delivery, and turns their result into a verdict (docs/receiver.md#answers). */
export function createDeliver(o: DeliverOptions) {
	const dedupe = o.dedup ? createDedupe(o.dedup, o) : undefined;
	const enqueue = o.serialize ? createQueue() : undefined;

	async function run(
		delivery: Delivery,
		claim: DedupClaim,
		handlers: readonly Handler[],
	): Promise<WorkResult> {
		const { state } = delivery;
		state.conflict = claim.conflict;
		state.stale = claim.stale;
		state.dedup = claim.dedup;
		const { context, abort } = createContext(delivery, claim);
		const ending = await runHandlers(
			handlers,
			context,
			remainingMs(o, state),
			abort,
		);
		if (ending.state === "done")
			return { verdict: ACKNOWLEDGED.handled, settle: "commit" };
		if (ending.state === "late") {
			o.log(
				`${nameOf(state)}: DEADLINE, the handler took longer than ${o.deadlineMs} ms.`,
			);
			return {
				verdict: toRefusal("DEADLINE"),
				settle: "leave",
				late: whenLate(o, ending.end, delivery, context),
			};
		}
		let { error } = ending;
		if (error instanceof PermanentFailure)
			try {
				await o.onDeadLetter?.(error, context);
				return { verdict: ACKNOWLEDGED.dead_letter, settle: "commit" };
			} catch (failure) {
				// With a 200 nobody would have the event any more.
				error = failure;
			}
		const verdict = fail(o, "HANDLER_FAILED", state, { error, context });
		return { verdict, settle: "release" };
	}

	return function deliver(
		delivery: Delivery,
		handlers: readonly Handler[],
	): Promise<Verdict> {
		const request = toClaimRequest(delivery);
		const { entityId } = request;
		const work = (claim: DedupClaim) =>
			enqueue && entityId !== null
				? enqueue(entityId, () => run(delivery, claim, handlers))
				: run(delivery, claim, handlers);
		if (!dedupe)
			return work({ dedup: "off", conflict: false, stale: false }).then(
				({ verdict }) => verdict,
			);
		return dedupe(
			{ ...request, leaseMs: o.leaseMs },
			() => remainingMs(o, delivery.state),
			work,
		);
	};
}
