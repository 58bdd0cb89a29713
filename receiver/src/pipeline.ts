import { isEventId, type WebhookClaims } from "@partnerwire/wire";
import { hmac as platformPort } from "#crypto";
import { checkContent } from "./body/content.ts";
import { findEntity, listIssues, toFact } from "./body/entity.ts";
import { toFingerprint } from "./body/fingerprint.ts";
import { type ReadBody, readBody } from "./body/read-body.ts";
import type { Handler } from "./common/context-types.ts";
import type { Incoming } from "./common/incoming.ts";
import { REASONS, type Reason, statusOf } from "./common/reasons.ts";
import { withTimeLimit } from "./common/time-limit.ts";
import {
	ACKNOWLEDGED,
	PROBED,
	toRefusal,
	type Verdict,
} from "./common/verdict.ts";
import { createDeliver } from "./handle/deliver.ts";
import {
	fail,
	type RequestState,
	remainingMs,
	toObservation,
} from "./handle/request-state.ts";
import { createRefusalCount, nameOf, notify } from "./handle/tell.ts";
import type { ResolvedOptions } from "./options.ts";
import { readToken } from "./verify/authorization.ts";
import {
	type Awaitable,
	isPromise,
	type PlatformCrypto,
} from "./verify/platform-crypto.ts";
import { createTokenMemory } from "./verify/token-memory.ts";
import { createVerifier, type VerifyResult } from "./verify/verify.ts";

const PROBES: readonly string[] = ["GET", "HEAD", "OPTIONS"];

/**
 * Answers requests in one order on every adapter: method → Authorization → signature → claims → body → JSON → fingerprint → claim →
 * handlers → commit (design §1, The receiver).
 */
export function createPipeline(
	o: ResolvedOptions,
	handlers: ReadonlyMap<string, readonly Handler[]>,
	port: PlatformCrypto = platformPort as PlatformCrypto,
) {
	const verifier = createVerifier(o, port);
	const deliver = o.inbox?.open(o, handlers) ?? createDeliver(o);
	const isReused = createTokenMemory();
	const countRefusal = createRefusalCount(o);
	const explainer = typeof o.explain === "function" ? o.explain : port.explain;

	async function refuse(
		reason: Reason,
		facts: RequestState,
		token?: string,
	): Promise<Verdict> {
		if (statusOf(reason) >= 500) return fail(o, reason, facts);
		const untold = countRefusal(reason);
		if (untold === undefined && !o.explain) return toRefusal(reason);
		const explanation = await explainer?.(reason, o, token, port);
		o.log(
			`${nameOf(facts)}: ${reason}. ${REASONS[reason][1]} ${explanation ?? ""}${untold ? ` ${untold} more before.` : ""}`,
		);
		if (!o.explain || !explanation) return toRefusal(reason);
		facts.explanation = explanation;
		return toRefusal(reason, { explanation });
	}

	function verifyInTime(token: string, facts: RequestState) {
		const result = verifier(token);
		if (!isPromise(result) || typeof o.secret !== "function") return result;
		// A lookup is the user's code: it may hang.
		return withTimeLimit(
			result,
			remainingMs(o, facts),
			(): VerifyResult => ({
				ok: false,
				reason: "SECRET_LOOKUP_FAILED",
				error: "it takes too long",
			}),
		);
	}

	/** Is the body the one that the token names? Undefined if the token names none (decisions §2, Token). */
	function isBound(
		{ payload_sha256 }: WebhookClaims,
		body: ReadBody,
	): Awaitable<boolean | undefined> {
		if (payload_sha256 === undefined) return undefined;
		const hash = port.hash(body.bytes);
		// Not in constant time: the sender knows its own body's hash.
		return isPromise(hash)
			? hash.then((actual) => actual === payload_sha256)
			: hash === payload_sha256;
	}

	async function decide(
		incoming: Incoming,
		facts: RequestState,
	): Promise<Verdict> {
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
			if ("error" in result)
				return fail(o, result.reason, facts, { error: result.error });
			return refuse(result.reason, facts, found.token);
		}
		const { claims } = result;
		facts.claims = claims;
		facts.eventId = claims.event_id;
		facts.secretIndex = result.secretIndex;

		const content = checkContent(incoming);
		if (content.reason) return refuse(content.reason, facts);
		const body = await readBody(incoming, content.coding, o);
		if (typeof body === "string") return refuse(body, facts);
		const binding = isBound(claims, body);
		const bound = isPromise(binding) ? await binding : binding;
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
			!facts.bodyBound && isReused(found.token, facts.fingerprint);
		if (facts.tokenReused && o.onTokenReuse === "reject")
			return refuse("TOKEN_REUSED", facts);
		return route(claims, body, facts);
	}

	function route(
		claims: WebhookClaims,
		body: ReadBody,
		facts: RequestState,
	): Awaitable<Verdict> {
		const eventId = claims.event_id;
		const { configuration } = body.value;
		const unhandled = (): Verdict => {
			notify(o, "onUnhandled", () =>
				o.onUnhandled?.({ eventId, claims, body: body.value }),
			);
			return ACKNOWLEDGED.unhandled;
		};
		if (!isEventId(eventId)) return unhandled();
		const entity = findEntity(eventId, body.value);
		if (!entity || !Array.isArray(configuration ?? []))
			return refuse("INVALID_SHAPE", facts);
		facts.entity = toFact(entity);
		const issues = listIssues(entity, configuration);
		if (o.schema === "strict" && issues.length > 0)
			return refuse("INVALID_SHAPE", facts);
		const taken = handlers.get(eventId);
		if (!taken) return unhandled();
		return deliver({ eventId, claims, body, entity, issues, facts }, taken);
	}

	/** Answers one request; never rejects. */
	return async function handle(incoming: Incoming): Promise<Verdict> {
		const facts: RequestState = { startedMs: performance.now() };
		let verdict: Verdict;
		try {
			verdict = await decide(incoming, facts);
		} catch (error) {
			verdict = fail(o, "INTERNAL_ERROR", facts, { error });
		}
		if (o.onVerdict)
			notify(o, "onVerdict", () =>
				o.onVerdict?.(toObservation(verdict, facts)),
			);
		return verdict;
	};
}
