import * as z from "zod";
import { optionalBody } from "../../table/inferred.ts";
import { defineWrite } from "../../table/operation.ts";
import { instant, timestamp } from "../../table/text.ts";
import {
	Integration,
	IntegrationWithSecret,
	onIntegration,
} from "./integration.ts";

/* The signing secret of an integration: its rotation, and how to see it. */

/** The secret that signs now, and the next one if a rotation is planned (docs/decisions.md#rotation). */
export const RevealedSecret = z.object({
	integration_uuid: z.string(),
	next_integration_uuid: z.string().nullable(),
	/** The same secrets as the libraries of Standard Webhooks take them: `whsec_` and base64. */
	standard_webhooks_secret: z.string(),
	next_standard_webhooks_secret: z.string().nullable(),
	cutover_at: timestamp().nullable(),
});
export type RevealedSecret = z.infer<typeof RevealedSecret>;

export const signingSecretOperations = {
	rotateIntegrationSecret: defineWrite({
		...onIntegration,
		method: "POST",
		path: `${onIntegration.path}/rotate-secret`,
		summary: "Rotate the signing secret; until the cutover the old one signs",
		body: optionalBody({
			/** Not in the past. If it is left out, the new secret signs at once. */
			cutover_at: instant().optional(),
			/** Replaces a rotation that is already planned. Receivers may have its secret already: it will never sign a token. */
			replace: z.boolean().default(false),
		}),
		exact: true,
		response: IntegrationWithSecret,
		secret: true,
	}),
	cancelIntegrationRotation: defineWrite({
		...onIntegration,
		method: "POST",
		path: `${onIntegration.path}/cancel-rotation`,
		summary: "Cancel a planned rotation: the old secret goes on signing",
		response: Integration,
	}),
	revealIntegrationSecret: defineWrite({
		...onIntegration,
		method: "POST",
		path: `${onIntegration.path}/reveal-secret`,
		summary: "Reveal the signing secret; the audit log says who did",
		response: RevealedSecret,
		secret: true,
		// A replayed answer could show an old secret, and would leave no entry in the audit log.
		replayed: false,
	}),
};
