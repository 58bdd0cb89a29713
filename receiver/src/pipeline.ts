import type { WebhookClaims } from "@partnerwire/contract";
import { port as platformPort } from "#crypto";
import { readToken } from "./authorization.ts";
import { maskClaims } from "./claims.ts";
import { checkContent } from "./content.ts";
import { createContext, type Delivery } from "./context.ts";
import type { Handler } from "./context-types.ts";
import { type CryptoPort, isPromise } from "./crypto-port.ts";
import { findEntity, hasTimestamp, listIssues, toEntityId } from "./entity.ts";
import { isKnownEvent } from "./events.ts";
import { explain } from "./explain.ts";
import { toFingerprint } from "./fingerprint.ts";
import type { Incoming } from "./incoming.ts";
import { type Claim, createOnce, type WorkResult } from "./once.ts";
import { PermanentFailure } from "./permanent-failure.ts";
import { type ReadBody, readBody } from "./read-body.ts";
import type { Reason } from "./reasons.ts";
import type { ResolvedOptions } from "./receiver-options.ts";
import { createQueue, runHandlers } from "./run-handlers.ts";
import { withTimeLimit } from "./time-limit.ts";
import { createTokenMemory } from "./token-memory.ts";
import {
	ACKNOWLEDGED,
	type Observation,
	PROBED,
	toRefusal,
	type Verdict,
} from "./verdict.ts";
import { createVerifier, type VerifyResult } from "./verify.ts";

/** What is learnt of one request on its way; becomes its observation. */
interface Facts
	extends Omit<Observation, "status" | "outcome" | "durationMs" | "claims"> {
	startedMs: number;
	claims?: WebhookClaims;
}

const PROBES: readonly string[] = ["GET", "HEAD", "OPTIONS"];

/**
 * Answers requests in one order on every adapter: method → Authorization → signature → claims → body → JSON → fingerprint → claim →
 * handlers → commit (design §1, The receiver).
 */
export function createPipeline(
	o: ResolvedOptions,
	handlers: ReadonlyMap<string, readonly Handler[]>,
	port: CryptoPort = platformPort as CryptoPort,
) {
	const verifier = createVerifier(o, port);
	const once = o.dedup ? createOnce(o.dedup, o) : undefined;
	const enqueue = o.serialize ? createQueue() : undefined;
	const isReused = createTokenMemory();

	const remainingMs = (facts: Facts): number =>
		o.deadlineMs - (performance.now() - facts.startedMs);

	/** A 500 with an id that is also in the log: the handler's message is in neither (case G04). */
	function fail(reason: Reason, facts: Facts, error?: unknown): Verdict {
		facts.requestId = crypto.randomUUID();
		const told =
			error !== undefined && o.onError ? " onError was told why." : "";
		o.log(
			`${facts.eventId ?? "A request"}: ${reason} (${facts.requestId}).${told}`,
		);
		return toRefusal(reason, { request_id: facts.requestId });
	}

	async function refuse(
		reason: Reason,
		facts: Facts,
		token?: string,
	): Promise<Verdict> {
		if (statusOfServer(reason)) return fail(reason, facts);
		if (!o.explain) return toRefusal(reason);
		const explanation = await explain(reason, o, token, port);
		if (!explanation) return toRefusal(reason);
		facts.explanation = explanation;
		o.log(`${reason}: ${explanation}`);
		return toRefusal(reason, { explanation });
	}

	function verifyInTime(token: string, facts: Facts) {
		const result = verifier(token);
		if (!isPromise(result) || typeof o.secret !== "function") return result;
		// A lookup is the user's code: it may hang.
		return withTimeLimit(
			result,
			remainingMs(facts),
			(): VerifyResult => ({ ok: false, reason: "SECRET_LOOKUP_FAILED" }),
		);
	}

	/** Is the body the one that the token names? Undefined if the token names none (decisions §2, Token). */
	async function isBound(
		claims: WebhookClaims,
		body: ReadBody,
	): Promise<boolean | undefined> {
		if (claims.payload_sha256 === undefined) return undefined;
		const hash = port.hash(body.bytes);
		const actual = isPromise(hash) ? await hash : hash;
		// Not a secret: the hash of a body that the sender knows.
		return actual === claims.payload_sha256;
	}

	async function decide(incoming: Incoming, facts: Facts): Promise<Verdict> {
		if (incoming.method !== "POST")
			return o.probe && PROBES.includes(incoming.method)
				? PROBED
				: toRefusal("METHOD_NOT_ALLOWED");
		const found = readToken(incoming, o.tokenHeaders);
		if (found.reason) return refuse(found.reason, facts);
		const verified = verifyInTime(found.token, facts);
		const result = isPromise(verified) ? await verified : verified;
		if (!result.ok) {
			facts.expiredForS = result.expiredForS;
			return refuse(result.reason, facts, found.token);
		}
		const { claims } = result;
		facts.claims = claims;
		facts.eventId = claims.event_id;
		facts.secretIndex = result.secretIndex;

		const content = checkContent(incoming, o.maxBodyBytes);
		if (content.reason) return refuse(content.reason, facts);
		const body = await readBody(incoming, content.coding, o);
		if (typeof body === "string") return refuse(body, facts);
		const bound = await isBound(claims, body);
		// A rescued object's bytes are only a guess at the sender's, so a difference proves nothing (case A01).
		if (bound === false && body.text !== undefined)
			return refuse("PAYLOAD_MISMATCH", facts);
		facts.bodyBound = bound === true;
		if (o.requireBodyBinding && !facts.bodyBound)
			return refuse("PAYLOAD_UNBOUND", facts);
		const hash = toFingerprint(
			port,
			claims.company_uuid,
			claims.event_id,
			body.canonical,
		);
		facts.fingerprint = isPromise(hash) ? await hash : hash;
		facts.tokenReused =
			bound === undefined && isReused(found.token, facts.fingerprint);
		if (facts.tokenReused && o.onTokenReuse === "reject")
			return refuse("TOKEN_REUSED", facts);
		return route(claims, body, facts);
	}

	async function route(
		claims: WebhookClaims,
		body: ReadBody,
		facts: Facts,
	): Promise<Verdict> {
		const eventId = claims.event_id;
		const { configuration } = body.value;
		const entity = isKnownEvent(eventId)
			? findEntity(eventId, body.value)
			: undefined;
		if (entity && isKnownEvent(eventId)) {
			if (configuration !== undefined && !Array.isArray(configuration))
				return refuse("INVALID_SHAPE", facts);
			const { uuid } = entity.value;
			facts.entity = {
				key: entity.key,
				uuid: typeof uuid === "string" ? uuid : undefined,
			};
			const issues = listIssues(entity, configuration);
			if (o.schema === "strict" && issues.length > 0)
				return refuse("INVALID_SHAPE", facts);
			const taken = handlers.get(eventId);
			if (taken)
				return deliver(
					{
						eventId,
						claims,
						body,
						entity,
						issues,
						secretIndex: facts.secretIndex ?? 0,
						bodyBound: facts.bodyBound ?? false,
						fingerprint: facts.fingerprint ?? "",
						tokenReused: facts.tokenReused ?? false,
					},
					taken,
					facts,
				);
		} else if (isKnownEvent(eventId)) return refuse("INVALID_SHAPE", facts);
		notify(() => o.onUnhandled?.({ eventId, claims, body: body.value }));
		return ACKNOWLEDGED.unhandled;
	}

	async function deliver(
		delivery: Delivery,
		taken: readonly Handler[],
		facts: Facts,
	): Promise<Verdict> {
		const { claims, entity } = delivery;
		const entityId = toEntityId(claims.company_uuid, entity) ?? null;
		const work = (claim: Claim) => run(delivery, claim, taken, facts);
		const inTurn = (claim: Claim) =>
			enqueue && entityId !== null
				? enqueue(entityId, () => work(claim))
				: work(claim);
		if (!once)
			return (await inTurn({ dedup: "off", conflict: false, stale: false }))
				.verdict;
		return once(
			{
				fingerprint: delivery.fingerprint,
				deliveryId: claims.jti ? `${claims.company_uuid}/${claims.jti}` : null,
				entityId,
				sequence: claims.sequence ?? null,
				supersedes: claims.jti === undefined && !hasTimestamp(entity),
				leaseMs: o.leaseMs,
			},
			() => remainingMs(facts),
			inTurn,
		);
	}

	async function run(
		delivery: Delivery,
		claim: Claim,
		taken: readonly Handler[],
		facts: Facts,
	): Promise<WorkResult> {
		facts.conflict = claim.conflict;
		facts.stale = claim.stale;
		facts.dedup = claim.dedup;
		const { context, abort } = createContext(delivery, claim);
		const ending = await runHandlers(taken, context, remainingMs(facts), abort);
		if (ending.state === "done")
			return { verdict: ACKNOWLEDGED.handled, settle: "commit" };
		if (ending.state === "late") {
			o.log(
				`${delivery.eventId}: the handler took longer than ${o.deadlineMs} ms; the sender was told to try again.`,
			);
			return {
				verdict: toRefusal("DEADLINE"),
				settle: "leave",
				late: ending.done,
			};
		}
		let { error } = ending;
		if (error instanceof PermanentFailure)
			try {
				await o.onDeadLetter?.(error, context);
				return { verdict: ACKNOWLEDGED.dead_letter, settle: "commit" };
			} catch (failure) {
				// The only record of the event would be lost with a 200.
				error = failure;
			}
		notify(() => o.onError?.(error, context));
		const verdict = fail("HANDLER_FAILED", facts, error);
		return { verdict, settle: "release" };
	}

	/** Calls an observer; what it throws must not change a verdict. */
	function notify(observer: () => unknown): void {
		try {
			observer();
		} catch {
			o.log(
				"A callback of the receiver threw; the answer is not changed by it.",
			);
		}
	}

	function observe(verdict: Verdict, { startedMs, ...facts }: Facts): void {
		const { status, outcome, reason } = verdict;
		const { claims } = facts;
		const observation: Observation = {
			...facts,
			status,
			outcome,
			durationMs: performance.now() - startedMs,
		};
		if (reason) observation.reason = reason;
		if (claims) {
			observation.claims = maskClaims(claims);
			if (claims.jti !== undefined) observation.jti = claims.jti;
			if (claims.sequence !== undefined) observation.sequence = claims.sequence;
		}
		notify(() => o.onVerdict?.(observation));
	}

	/** Answers one request; never rejects. */
	return async function handle(incoming: Incoming): Promise<Verdict> {
		const facts: Facts = { startedMs: performance.now() };
		let verdict: Verdict;
		try {
			verdict = await decide(incoming, facts);
		} catch (error) {
			notify(() => o.onError?.(error));
			verdict = fail("INTERNAL_ERROR", facts, error);
		}
		if (o.onVerdict) observe(verdict, facts);
		return verdict;
	};
}

const statusOfServer = (reason: Reason): boolean =>
	reason === "BODY_ALREADY_READ" || reason === "SECRET_LOOKUP_FAILED";
