import type { Handlers } from "../execute/handlers.ts";
import { secretPurpose } from "../secrets/integration-secrets.ts";
import { readIntegration, toIntegration } from "./integration-view.ts";

/** The form of a secret that the libraries of Standard Webhooks take (docs/standard-webhooks.md). */
const toStandardSecret = (secret: string): string =>
	`whsec_${Buffer.from(secret).toString("base64")}`;

/** Shows an integration's signing secret. */
export const integrationSecretHandlers = {
	/** Nothing changes, but the audit log records that the secret was shown (docs/decisions.md#signing-secret). */
	revealIntegrationSecret: async ({ params }, context) => {
		const found = await readIntegration(params.integration_id, context);
		const { uuid, secret, nextSecret } = found.row;
		const open = (sealed: string) =>
			context.cipher.decrypt(sealed, secretPurpose(uuid, "secret"));
		const shown = toIntegration(found);
		const { id, secret_cutover_at: cutover_at } = shown;
		const isRotated = nextSecret !== null && cutover_at === null;
		const current = open(isRotated ? nextSecret : secret);
		const next = nextSecret !== null && !isRotated ? open(nextSecret) : null;
		return {
			result: {
				integration_uuid: current,
				next_integration_uuid: next,
				standard_webhooks_secret: toStandardSecret(current),
				next_standard_webhooks_secret: next && toStandardSecret(next),
				cutover_at,
			},
			changes: [
				{
					entity: "integration",
					uuid: id,
					action: "revealed",
					before: shown,
					after: shown,
				},
			],
		};
	},
} satisfies Partial<Handlers>;
