import { hasTimestamp, toEntityId } from "../body/entity.ts";
import type { Handler } from "../common/context-types.ts";
import { PermanentFailure } from "../common/permanent-failure.ts";
import { ACKNOWLEDGED, toRefusal, type Verdict } from "../common/verdict.ts";
import type { ClaimRequest } from "../dedupe/dedup-store.ts";
import {
	createDedupe,
	type DedupClaim,
	type WorkResult,
} from "../dedupe/dedupe.ts";
import type { ResolvedOptions } from "../options.ts";
import { createContext, type Delivery } from "./context.ts";
import { fail, remainingMs } from "./request-state.ts";
import { createQueue, runHandlers, whenLate } from "./run-handlers.ts";
import { nameOf } from "./tell.ts";

/** The ids by which a store recognises a delivery. */
export function toClaimRequest({
	claims,
	entity,
	facts,
}: Delivery): Omit<ClaimRequest, "leaseMs"> {
	return {
		fingerprint: facts.fingerprint ?? "",
		deliveryId: claims.jti ? `${claims.company_uuid}/${claims.jti}` : null,
		entityId: toEntityId(claims.company_uuid, entity) ?? null,
		sequence: claims.sequence ?? null,
		supersedes: !claims.jti && !hasTimestamp(entity),
	};
}

/** Runs the handlers once for each verified delivery, and turns their result into a verdict (docs/receiver.md#answers). */
export function createDeliver(o: ResolvedOptions) {
	const dedupe = o.dedup ? createDedupe(o.dedup, o) : undefined;
	const enqueue = o.serialize ? createQueue() : undefined;

	async function run(
		delivery: Delivery,
		claim: DedupClaim,
		handlers: readonly Handler[],
	): Promise<WorkResult> {
		const { facts } = delivery;
		facts.conflict = claim.conflict;
		facts.stale = claim.stale;
		facts.dedup = claim.dedup;
		const { context, abort } = createContext(delivery, claim);
		const ending = await runHandlers(
			handlers,
			context,
			remainingMs(o, facts),
			abort,
		);
		if (ending.state === "done")
			return { verdict: ACKNOWLEDGED.handled, settle: "commit" };
		if (ending.state === "late") {
			o.log(
				`${nameOf(facts)}: DEADLINE, the handler took longer than ${o.deadlineMs} ms.`,
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
		const verdict = fail(o, "HANDLER_FAILED", facts, { error, context });
		return { verdict, settle: "release" };
	}

	return async function deliver(
		delivery: Delivery,
		handlers: readonly Handler[],
	): Promise<Verdict> {
		const request = toClaimRequest(delivery);
		const { entityId } = request;
		const work = (claim: DedupClaim) => run(delivery, claim, handlers);
		const inTurn = (claim: DedupClaim) =>
			enqueue && entityId !== null
				? enqueue(entityId, () => work(claim))
				: work(claim);
		if (!dedupe)
			return (await inTurn({ dedup: "off", conflict: false, stale: false }))
				.verdict;
		return dedupe(
			{ ...request, leaseMs: o.leaseMs },
			() => remainingMs(o, delivery.facts),
			inTurn,
		);
	};
}
