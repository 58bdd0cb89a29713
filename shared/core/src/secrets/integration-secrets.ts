import type { RowOf } from "../db/insert-row.ts";
import type { Cipher } from "./cipher.ts";

/** An integration's row with its secrets encrypted. */
export type StoredIntegration = RowOf<"integration">;

type SecretName = "secret" | "api_key" | "external_settings";

/** The purpose of an integration's secret: each is encrypted for its own place. */
export const secretPurpose = (
	integrationUuid: string,
	name: SecretName,
): string => `integration/${integrationUuid}/${name}`;

/** The encrypted secret that signs now. From the cutover on, it is the next one. */
export function currentSecret(
	row: Pick<StoredIntegration, "secret" | "nextSecret" | "cutoverAt">,
	nowMs: number,
): string {
	const isCutOver = row.cutoverAt !== null && nowMs >= row.cutoverAt;
	return isCutOver && row.nextSecret !== null ? row.nextSecret : row.secret;
}

/**
 * The encrypted secrets that sign now as Standard Webhooks say, the newest first: until the cutover, a receiver may have either.
 * Undefined if the integration does not ask for it.
 */
function standardSecrets(
	row: Parameters<typeof currentSecret>[0] &
		Pick<StoredIntegration, "standardWebhooks">,
	nowMs: number,
): string[] | undefined {
	if (!row.standardWebhooks) return undefined;
	const current = currentSecret(row, nowMs);
	const { nextSecret } = row;
	return nextSecret === null || nextSecret === current
		? [current]
		: [nextSecret, current];
}

/** The parts of a request that come from its integration. Secrets are in clear text, so it never leaves the process. */
export interface OpenIntegration {
	readonly url: string;
	readonly companyUuid: string;
	readonly secret: string;
	readonly apiKey: string | null;
	readonly externalSettings: string | null;
	/** The newest first (docs/decisions.md#standard-webhooks). */
	readonly standardSecrets?: readonly string[] | undefined;
}

/** Decrypts an integration's parts of a request at the given time. */
export function openIntegration(
	row: Pick<
		StoredIntegration,
		| "uuid"
		| "companyUuid"
		| "webhookUrl"
		| "apiKey"
		| "externalSettings"
		| "secret"
		| "nextSecret"
		| "cutoverAt"
		| "standardWebhooks"
	>,
	cipher: Cipher,
	nowMs: number,
): OpenIntegration {
	const open = (name: SecretName, sealed: string) =>
		cipher.decrypt(sealed, secretPurpose(row.uuid, name));
	return {
		url: row.webhookUrl,
		companyUuid: row.companyUuid,
		secret: open("secret", currentSecret(row, nowMs)),
		apiKey: row.apiKey === null ? null : open("api_key", row.apiKey),
		externalSettings:
			row.externalSettings === null
				? null
				: open("external_settings", row.externalSettings),
		standardSecrets: standardSecrets(row, nowMs)?.map((sealed) =>
			open("secret", sealed),
		),
	};
}
