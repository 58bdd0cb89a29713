import { isEventId, type WebhookClaims } from "@partnerwire/wire";
import { hmac as defaultPlatform } from "#crypto";
import { checkContent } from "./body/content.ts";
import { findEntity, listIssues, toEntityRef } from "./body/entity.ts";
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
import type { ResolvedOptions } from "./options.ts";
import {
	fail,
	type RequestState,
	remainingMs,
	toObservation,
} from "./report/request-state.ts";
import { createLineLimit, nameOf, notify } from "./report/tell.ts";
import { readToken } from "./verify/authorization.ts";
import {
	type Awaitable,
	isPromise,
	type PlatformCrypto,
} from "./verify/platform-crypto.ts";
import { createTokenMemory } from "./verify/token-memory.ts";
import { createVerifier, type VerifyResult } from "./verify/verify.ts";

const PROBES: readonly string[] = ["GET", "HEAD", "OPTIONS"];
/** The advice of runtimes whose bundles do not hold `explain`. */
const SEE = "See /docs/troubleshooting of your Partnerwire service.";

/**
 * Answers requests in the same order on every adapter: method → Authorization → signature → claims → body → JSON → fingerprint →
 * claim → handlers → commit (docs/architecture.md#the-way-of-a-webhook-from-the-wire-to-your-handler).
 */
export function createPipeline(
	o: ResolvedOptions,
	handlers: ReadonlyMap<string, readonly Handler[]>,
	platform: PlatformCrypto = defaultPlatform as PlatformCrypto,
) {
	const countLine = createLineLimit(o);
	const log = (line: string): void => {
		if (countLine(line) !== undefined) o.log(line);
	};
	const verifier = createVerifier({ ...o, log }, platform);
	const deliver = o.inbox?.open(o, handlers) ?? createDeliver(o);
	const isReused = createTokenMemory();
	const explainer =
		typeof o.explain === "function" ? o.explain : platform.explain;

	const standard = o.standard?.(o, platform, refuse, deliver);

	async function refuse(
		reason: Reason,
		state: RequestState,
		token?: string,
		known?: string,
	): Promise<Verdict> {
		if (statusOf(reason) >= 500) return fail(o, reason, state);
		const untold = countLine(reason);
		if (untold === undefined && !o.explain) return toRefusal(reason);
		const explanation =
			known ?? (await explainer?.(reason, o, token, platform));
		const { expiredForS } = state;
		const onEdge =
			expiredForS === undefined ? SEE : `It expired ${expiredForS} s ago.`;
		o.log(
			`${nameOf(state)}: ${reason}. ${REASONS[reason][1]} ${explanation ?? onEdge}${untold ? ` ${untold} more were left out.` : ""}`,
		);
		if (!o.explain || !explanation) return toRefusal(reason);
		state.explanation = explanation;
		return toRefusal(reason, { explanation });
	}

	function verifyInTime(token: string, state: RequestState) {
		const result = verifier(token);
		if (!isPromise(result) || typeof o.secret !== "function") return result;
		// A lookup is the user's code: it may hang.
		return withTimeLimit(
			result,
			remainingMs(o, state),
			(): VerifyResult => ({
				ok: false,
				reason: "SECRET_LOOKUP_FAILED",
				error: "it takes too long",
			}),
		);
	}

	/** Is the body the one that `payload_sha256` names? Undefined without that claim (docs/decisions.md#additive-claims). */
	function isBound(
		{ payload_sha256 }: WebhookClaims,
		body: ReadBody,
	): Awaitable<boolean | undefined> {
		if (payload_sha256 === undefined) return undefined;
		const hash = platform.hash(body.bytes);
		// Constant time is not needed: the sender knows its own body's hash.
		return isPromise(hash)
			? hash.then((actual) => actual === payload_sha256)
			: hash === payload_sha256;
	}

	async function decide(
		incoming: Incoming,
		state: RequestState,
	): Promise<Verdict> {
		if (incoming.method !== "POST")
			return o.probe && PROBES.includes(incoming.method)
				? PROBED
				: refuse("METHOD_NOT_ALLOWED", state);
		const found = readToken(incoming, o.tokenHeaders);
		if (found.reason)
			return (
				standard?.(found.reason, incoming, state) ?? refuse(found.reason, state)
			);
		const verified = verifyInTime(found.token, state);
		const result = isPromise(verified) ? await verified : verified;
		if (!result.ok) {
			state.expiredForS = result.expiredForS;
			if ("error" in result) {
				const { reason, error } = result;
				// Anybody can send a token that the lookup fails on.
				const isKnown = countLine(reason) === undefined;
				return fail(o, reason, state, { error, isKnown });
			}
			return refuse(result.reason, state, found.token, result.explanation);
		}
		const { claims } = result;
		state.claims = claims;
		state.eventId = claims.event_id;
		state.secretIndex = result.secretIndex;

		const content = checkContent(incoming);
		if (content.reason) return refuse(content.reason, state);
		const body = await readBody(incoming, content.coding, o);
		if (typeof body === "string") return refuse(body, state);
		const binding = isBound(claims, body);
		const bound = isPromise(binding) ? await binding : binding;
		if (body.text === undefined) {
			// The JSON text of a parser's object is a guess at the sender's bytes: if it matches, they were the same.
			const isUnchecked =
				bound === false || (bound === undefined && o.rejectDuplicateKeys);
			if (isUnchecked && !o.allowParsedBody)
				return refuse("BODY_BYTES_LOST", state);
		} else if (bound === false) return refuse("PAYLOAD_MISMATCH", state);
		state.bodyBound = bound === true;
		if (o.requireBodyBinding && !state.bodyBound)
			return refuse("PAYLOAD_UNBOUND", state);
		const hash = toFingerprint(
			platform,
			claims.company_uuid,
			claims.event_id,
			body.canonical,
		);
		state.fingerprint = isPromise(hash) ? await hash : hash;
		state.tokenReused =
			!state.bodyBound && isReused(found.token, state.fingerprint);
		if (state.tokenReused && o.onTokenReuse === "reject")
			return refuse("TOKEN_REUSED", state);
		return await route(claims, body, state);
	}

	function route(
		claims: WebhookClaims,
		body: ReadBody,
		state: RequestState,
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
			return refuse("INVALID_SHAPE", state);
		state.entity = toEntityRef(entity);
		const issues = listIssues(entity, configuration);
		if (o.schema === "strict" && issues.length > 0)
			return refuse("INVALID_SHAPE", state);
		const eventHandlers = handlers.get(eventId);
		if (!eventHandlers) return unhandled();
		return deliver(
			{ eventId, claims, body, entity, issues, state },
			eventHandlers,
		);
	}

	/** Answers one request; never rejects. */
	return async function handle(incoming: Incoming): Promise<Verdict> {
		const state: RequestState = { startedMs: performance.now() };
		let verdict: Verdict;
		try {
			verdict = await decide(incoming, state);
		} catch (error) {
			verdict = fail(o, "INTERNAL_ERROR", state, { error });
		}
		if (o.onVerdict)
			notify(o, "onVerdict", () =>
				o.onVerdict?.(toObservation(verdict, state)),
			);
		return verdict;
	};
}
