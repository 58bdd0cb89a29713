/*
 * `@partnerwire/receiver/standard`: takes requests without a token that are signed as Standard Webhooks say
 * (docs/standard-webhooks.md). It is an entry of its own, so that other bundles do not hold it.
 */
import { EVENT_IDS, payloadKeyOf, type WebhookClaims } from "@partnerwire/wire";
import { type Coding, checkContent } from "./body/content.ts";
import { type Entity, listIssues, toEntityRef } from "./body/entity.ts";
import { toFingerprint } from "./body/fingerprint.ts";
import { inflate } from "./body/inflate.ts";
import {
	type ReadBody,
	type ReadLimits,
	readBody,
	readBytes,
} from "./body/read-body.ts";
import { ReceiverConfigError } from "./common/config-error.ts";
import type { Handler, StandardContext } from "./common/context-types.ts";
import type { BodySource, Bytes, Incoming } from "./common/incoming.ts";
import type { Reason } from "./common/reasons.ts";
import { withTimeLimit } from "./common/time-limit.ts";
import { ACKNOWLEDGED, type Verdict } from "./common/verdict.ts";
import type { StandardWebhooks } from "./options.ts";
import {
	fail,
	type RequestState,
	remainingMs,
} from "./report/request-state.ts";
import { createLineLimit } from "./report/tell.ts";
import {
	createStandardVerifier,
	readStandardHeaders,
	type StandardHeaders,
	type StandardResult,
	TOLERANCE_S,
} from "./verify/standard-headers.ts";
import { isObject } from "./verify/token.ts";

export type { StandardContext } from "./common/context-types.ts";
export type { StandardWebhooks } from "./options.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Finds the records by their keys alone, because the event is not known. */
function findEntities(body: Record<string, unknown>): Entity[] {
	const keys = new Set(EVENT_IDS.map(payloadKeyOf));
	return [...keys].flatMap((key) => {
		const value = body[key];
		return isObject(value) ? [{ key, value }] : [];
	});
}

/**
 * Makes the option `standard` of `createReceiver`. The handler gets requests without a token that have a good Standard Webhooks
 * signature. They name no event: the body's key says what kind of record it is.
 *
 * @example
 * const receiver = createReceiver({ secret, standard: standardWebhooks(({ lead }) => crm.upsert(lead)) });
 */
export function standardWebhooks(
	handler: (context: StandardContext) => unknown,
): StandardWebhooks {
	const handlers: readonly Handler[] = [handler];
	return function open(o, platform, refuse, deliver) {
		if (o.inbox) {
			void o.inbox.close().catch(() => {});
			throw new ReceiverConfigError(
				"CONFIG_OPTION",
				"createReceiver: standard does not work with an inbox, which keeps events by their names.",
			);
		}
		const countLine = createLineLimit(o);
		const log = (line: string): void => {
			if (countLine(line) !== undefined) o.log(line);
		};
		const verify = createStandardVerifier({ secret: o.secret, log }, platform);

		/** Verifies the bytes as they were sent. A lookup is the user's code: it may hang. */
		async function check(
			bytes: Bytes,
			headers: StandardHeaders,
			state: RequestState,
		): Promise<StandardResult> {
			let text: string;
			try {
				text = decoder.decode(bytes);
			} catch {
				return { reason: "INVALID_UTF8" };
			}
			return withTimeLimit(
				verify(headers, text),
				remainingMs(o, state),
				(): StandardResult => ({
					reason: "SECRET_LOOKUP_FAILED",
					error: "it takes too long",
				}),
			);
		}

		/** Unlike a token's, this signature covers the body: it is read first, and parsed after the check. */
		async function decide(
			headers: StandardHeaders,
			incoming: Incoming,
			state: RequestState,
		): Promise<Verdict> {
			const content = checkContent(incoming);
			if (content.reason) return refuse(content.reason, state);
			const sent = await readSent(incoming, content.coding, o);
			if (typeof sent === "string") return refuse(sent, state);
			const result = await check(sent.bytes, headers, state);
			if ("error" in result) {
				const isKnown = countLine(result.reason) === undefined;
				const { error } = result;
				return fail(o, result.reason, state, { error, isKnown });
			}
			if (result.reason)
				return sent.parsed
					? refuse("BODY_BYTES_LOST", state)
					: refuse(result.reason, state, undefined, result.explanation);
			const body = sent.parsed ?? (await parseSent(sent.bytes, o));
			if (typeof body === "string") return refuse(body, state);

			state.claims = toClaims(headers);
			state.secretIndex = result.secretIndex;
			state.bodyBound = true;
			state.fingerprint = await toFingerprint(platform, "", "", body.canonical);
			const { configuration, ...others } = body.value;
			const [entity, ...more] = findEntities(body.value);
			// A later version may send records of another kind.
			if (!entity && Object.values(others).some(isObject))
				return ACKNOWLEDGED.unhandled;
			if (!entity || more.length > 0 || !Array.isArray(configuration ?? []))
				return refuse("INVALID_SHAPE", state);
			state.entity = toEntityRef(entity);
			const issues = listIssues(entity, configuration);
			if (o.schema === "strict" && issues.length > 0)
				return refuse("INVALID_SHAPE", state);
			const { claims } = state;
			const delivery = {
				eventId: undefined,
				claims,
				body,
				entity,
				issues,
				state,
			};
			return deliver(delivery, handlers);
		}

		return function answer(reason, incoming, state) {
			const headers =
				reason === "TOKEN_MISSING"
					? readStandardHeaders(incoming, o.clock())
					: undefined;
			if (!headers?.reason) return headers && decide(headers, incoming, state);
			state.expiredForS = headers.expiredForS;
			return refuse(headers.reason, state);
		};
	};
}

/** Only `jti` and `iat` are signed. The empty ids say that nothing is known of company, user and event. */
const toClaims = ({ id, timestampS }: StandardHeaders): WebhookClaims => ({
	company_uuid: "",
	user_uuid: "",
	event_id: "",
	iat: timestampS,
	exp: timestampS + TOLERANCE_S,
	jti: id,
});

const toIncoming = (body: BodySource): Incoming => ({
	method: "POST",
	header: () => undefined,
	body: () => body,
});

const parseSent = (bytes: Bytes, limits: ReadLimits) =>
	readBody(toIncoming({ kind: "bytes", bytes }), "identity", limits);

/** Reads the bytes as they were sent, but inflated. Of an object that a framework has parsed, those of its JSON text. */
async function readSent(
	incoming: Incoming,
	coding: Coding,
	limits: ReadLimits,
): Promise<{ bytes: Bytes; parsed?: ReadBody } | Reason> {
	const read = await readBytes(incoming, limits);
	if (typeof read === "string") return read;
	if ("parsed" in read) {
		const source = toIncoming({ kind: "parsed", value: read.parsed });
		const parsed = await readBody(source, coding, limits);
		return typeof parsed === "string"
			? parsed
			: { bytes: parsed.bytes, parsed };
	}
	if (read.length > limits.maxBodyBytes) return "BODY_TOO_LARGE";
	const bytes = await inflate(read, coding, limits.maxBodyBytes);
	return typeof bytes === "string" ? bytes : { bytes };
}
