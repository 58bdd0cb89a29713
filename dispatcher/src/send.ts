import { randomUUID } from "node:crypto";
import {
	type Configuration,
	type EventId,
	type ExternalSettings,
	type PayloadKeyOf,
	type Payloads,
	payloadKeyOf,
	type WebhookClaims,
} from "@partnerwire/wire";
import type { AttemptResult } from "./http/attempt-result.ts";
import { createWire, type Wire, type WireOptions } from "./http/wire.ts";
import { withDefaults } from "./http/with-defaults.ts";
import { encodeBody, hashBody } from "./sign/body.ts";
import { buildClaims, checkEvent, checkTokenLifetime } from "./sign/claims.ts";
import { createSigner } from "./sign/signer.ts";
import { addStandardHeaders } from "./sign/standard-webhooks.ts";

/** An event to sign and send. The payload's type follows from the event id (docs/decisions.md#body-keys). */
export interface SendOptions<Id extends EventId = EventId> {
	readonly url: string;
	/** The integration's UUID, exactly as it is spelled. */
	readonly secret: string;
	readonly event: Id;
	readonly entity: Payloads[PayloadKeyOf<Id>];
	readonly configuration?: Configuration;
	readonly companyUuid: string;
	readonly userUuid: string;
	readonly apiKey?: string;
	readonly externalSettings?: ExternalSettings;
	readonly tokenLifetimeS?: number;
	/** The delivery's uuid. By default a new one; false leaves the claim out. */
	readonly jti?: string | false;
	/** False leaves the claim out. */
	readonly payloadSha256?: boolean;
	/** The delivery's number within its integration. Left out by default. */
	readonly sequence?: number;
	/** Signs as Standard Webhooks say, too. False by default. */
	readonly standardWebhooks?: boolean;
	/** The wire to use. Without it, one is opened for this call and closed after it. */
	readonly wire?: Wire;
	/** The options of that wire. Ignored if `wire` is set. */
	readonly wireOptions?: WireOptions;
	readonly clock?: () => number;
}

/** The result of an attempt, with what was sent. */
export interface SendResult extends AttemptResult {
	readonly claims: WebhookClaims;
	readonly body: Uint8Array;
}

/** Sends a prepared event. Each call is one attempt, with the same bytes and `jti` and a fresh `iat`. */
export type PreparedSend = (wire: Wire) => Promise<SendResult>;

/** Throws for an entity that JSON.stringify would leave out or change. */
function checkPayload({
	entity,
	configuration,
}: Pick<SendOptions, "entity" | "configuration">): void {
	if (typeof entity !== "object" || entity === null || Array.isArray(entity))
		throw new TypeError("entity must be an object: the record's members");
	if (!Array.isArray(configuration))
		throw new TypeError("configuration must be an array");
}

/** Encodes the body and fixes the `jti` once, so that every attempt is the same delivery (docs/decisions.md#additive-claims). */
export function prepareSend<Id extends EventId>(
	options: SendOptions<Id>,
): PreparedSend {
	const o = withDefaults(options, {
		configuration: [],
		payloadSha256: true,
		clock: () => Date.now(),
	});
	checkEvent(o.event);
	checkTokenLifetime(o.tokenLifetimeS);
	checkPayload(o);
	const sign = createSigner(o.secret);
	const body = encodeBody(
		payloadKeyOf(o.event),
		JSON.stringify(o.entity),
		JSON.stringify(o.configuration),
	);
	const id = typeof o.jti === "string" ? o.jti : randomUUID();
	const jti = o.jti === false ? null : id;
	const payloadSha256 = o.payloadSha256 ? hashBody(body) : null;
	return async (wire) => {
		const claims = buildClaims({
			...o,
			nowMs: o.clock(),
			jti,
			payloadSha256,
		});
		const request = {
			url: o.url,
			token: sign(claims),
			body,
			claims,
			secrets: [o.secret],
		};
		const result = await wire.attempt(
			o.standardWebhooks
				? addStandardHeaders(request, { id, secrets: [o.secret] })
				: request,
		);
		return { ...result, claims, body };
	};
}

/** Runs with the caller's wire, or with one that is closed after the call. */
export async function withWire<Result>(
	{ wire, wireOptions }: Pick<SendOptions, "wire" | "wireOptions">,
	use: (wire: Wire) => Promise<Result>,
): Promise<Result> {
	if (wire) return use(wire);
	const own = createWire(wireOptions);
	try {
		return await use(own);
	} finally {
		await own.close();
	}
}

/**
 * Signs an event and sends it once, without a database. It resolves whatever the receiver does: check `delivered`, and
 * `adviceFor(result)` if it is false.
 *
 * @example
 * const result = await send({ url, secret, event: "lead_created", entity: lead, companyUuid, userUuid });
 */
export async function send<Id extends EventId>(
	options: SendOptions<Id>,
): Promise<SendResult> {
	const attempt = prepareSend(options);
	return withWire(options, attempt);
}
