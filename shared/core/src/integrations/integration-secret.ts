import type { Handlers } from "../execute/handlers.ts";
import { secretPurpose } from "../secrets/integration-secrets.ts";
import { readIntegration, toIntegration } from "./integration-view.ts";

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
		return {
			result: {
				integration_uuid: open(isRotated ? nextSecret : secret),
				next_integration_uuid:
					nextSecret !== null && !isRotated ? open(nextSecret) : null,
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
