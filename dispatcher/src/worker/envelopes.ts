import {
	type ExternalSettings,
	payloadKeyOf,
	type WebhookClaims,
} from "@partnerwire/contract";
import {
	type Cipher,
	type ClaimedDelivery,
	openIntegration,
	type StoredIntegration,
	type WebhookRequest,
} from "@partnerwire/core";
import { encodeBody, hashBody } from "../body.ts";
import { buildClaims, checkTokenLifetime } from "../claims.ts";
import { createSigner, type Signer } from "../signer.ts";
import type { AttemptRequest } from "../wire.ts";

/** Which of the three additive claims are sent, and how long tokens are valid (decisions §2: token). */
export interface TokenOptions {
	readonly tokenLifetimeS: number;
	readonly jti: boolean;
	readonly payloadSha256: boolean;
	readonly sequence: boolean;
}

export const TOKEN_DEFAULTS: TokenOptions = {
	tokenLifetimeS: 3600,
	jti: true,
	payloadSha256: true,
	sequence: true,
};

export interface Envelope extends AttemptRequest {
	readonly claims: WebhookClaims;
}

/** The signed request of one attempt: the stored bytes, and a token of now. */
export function toEnvelope(
	request: WebhookRequest,
	sign: Signer,
	nowMs: number,
	options: TokenOptions = TOKEN_DEFAULTS,
): Envelope {
	const body = encodeBody(
		payloadKeyOf(request.eventId),
		request.entity,
		request.configuration,
	);
	const claims = buildClaims({
		companyUuid: request.companyUuid,
		userUuid: request.userUuid,
		event: request.eventId,
		nowMs,
		tokenLifetimeS: options.tokenLifetimeS,
		apiKey: request.apiKey,
		externalSettings:
			request.externalSettings &&
			(JSON.parse(request.externalSettings) as ExternalSettings),
		jti: options.jti ? request.deliveryUuid : null,
		payloadSha256: options.payloadSha256 ? hashBody(body) : null,
		sequence: options.sequence ? request.sequence : null,
	} as Parameters<typeof buildClaims>[0]);
	return {
		url: request.url,
		body,
		token: sign(claims),
		claims,
		secrets: [request.secret],
	};
}

/** Turns claimed deliveries into signed requests; each integration is decrypted once per version and secret. */
export function createEnvelopes(cipher: Cipher, options: TokenOptions) {
	checkTokenLifetime(options.tokenLifetimeS);
	const opened = new Map<number, ReturnType<typeof open>>();

	function open(row: StoredIntegration, nowMs: number) {
		const integration = openIntegration(row, cipher, nowMs);
		return {
			version: row.version,
			isCutOver: isCutOver(row, nowMs),
			integration,
			sign: createSigner(integration.secret),
		};
	}

	return function toDeliveryEnvelope(
		delivery: ClaimedDelivery,
		nowMs: number,
	): Envelope {
		const row = delivery.integration;
		let known = opened.get(row.id);
		if (
			known?.version !== row.version ||
			known.isCutOver !== isCutOver(row, nowMs)
		) {
			known = open(row, nowMs);
			opened.set(row.id, known);
		}
		// Member by member: spreading a second object costs four times as much, for every attempt.
		const request = {
			...known.integration,
			deliveryUuid: delivery.uuid,
			eventId: delivery.eventId,
			userUuid: delivery.userUuid,
			sequence: delivery.sequence,
			entity: delivery.entity,
			configuration: delivery.configuration,
		};
		return toEnvelope(request, known.sign, nowMs, options);
	};
}

const isCutOver = ({ cutoverAt }: StoredIntegration, nowMs: number) =>
	cutoverAt !== null && nowMs >= cutoverAt;
