import {
	type Cipher,
	type ClaimedDelivery,
	type ClaimedIntegration,
	type OpenIntegration,
	openIntegration,
	type WebhookRequest,
} from "@partnerwire/core";
import { type ExternalSettings, payloadKeyOf } from "@partnerwire/wire";
import { joinBody } from "../sign/body.ts";
import { buildClaims, checkTokenLifetime } from "../sign/claims.ts";
import { seal, type UnsignedRequest } from "../sign/seal.ts";
import { createSecretCache } from "../sign/secret-cache.ts";

/** Which of the three additive claims are sent, and how long tokens are valid (docs/decisions.md#additive-claims). */
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

/** Builds the webhook of one attempt from the stored texts, with claims of now. */
const toUnsigned = (
	integration: OpenIntegration,
	delivery: Omit<WebhookRequest, keyof OpenIntegration>,
	nowMs: number,
	options: TokenOptions,
): UnsignedRequest => ({
	url: integration.url,
	secret: integration.secret,
	claims: buildClaims({
		companyUuid: integration.companyUuid,
		userUuid: delivery.userUuid,
		event: delivery.eventId,
		nowMs,
		tokenLifetimeS: options.tokenLifetimeS,
		apiKey: integration.apiKey,
		externalSettings: integration.externalSettings
			? (JSON.parse(integration.externalSettings) as ExternalSettings)
			: null,
		jti: options.jti ? delivery.uuid : null,
		sequence: options.sequence ? delivery.sequence : null,
	}),
	payloadSha256: options.payloadSha256,
	body: joinBody(
		payloadKeyOf(delivery.eventId),
		delivery.entity,
		delivery.configuration,
	),
	standard: integration.standardSecrets && {
		id: delivery.uuid,
		secrets: integration.standardSecrets,
	},
});

/** Builds the webhook of one attempt, and signs it. */
export const toSignedRequest = (
	request: WebhookRequest,
	nowMs: number,
	options: Partial<TokenOptions> = {},
) =>
	seal(toUnsigned(request, request, nowMs, { ...TOKEN_DEFAULTS, ...options }));

/** Turns claimed deliveries into webhooks. Each integration is decrypted once for each version and secret. */
export function createRequests(cipher: Cipher, options: TokenOptions) {
	checkTokenLifetime(options.tokenLifetimeS);
	const opened = createSecretCache<number, ReturnType<typeof open>>();

	function open(row: ClaimedIntegration, nowMs: number) {
		const integration = openIntegration(row, cipher, nowMs);
		return {
			version: row.version,
			isCutOver: isCutOver(row, nowMs),
			integration,
		};
	}

	return function toRequest(
		delivery: ClaimedDelivery,
		nowMs: number,
	): UnsignedRequest {
		const row = delivery.integration;
		let known = opened.get(row.id);
		if (
			known?.version !== row.version ||
			known.isCutOver !== isCutOver(row, nowMs)
		) {
			known = open(row, nowMs);
			opened.set(row.id, known);
		}
		return toUnsigned(known.integration, delivery, nowMs, options);
	};
}

const isCutOver = ({ cutoverAt }: ClaimedIntegration, nowMs: number) =>
	cutoverAt !== null && nowMs >= cutoverAt;
