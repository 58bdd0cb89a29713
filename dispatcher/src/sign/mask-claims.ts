import type { WebhookClaims } from "@partnerwire/wire";

/** Replaces a secret value. */
export const MASK = "***";

/** Copies claims for showing: the API key and the values of the external settings are masked. */
export function maskClaims(claims: WebhookClaims): WebhookClaims {
	return {
		...claims,
		...(claims.api_key !== undefined && { api_key: MASK }),
		...(claims.external_settings && {
			external_settings: {
				authorisation: claims.external_settings.authorisation.map(({ id }) => ({
					id,
					value: MASK,
				})),
			},
		}),
	};
}

/** The values that `maskClaims` masks. */
export const secretsOf = ({
	api_key,
	external_settings,
}: WebhookClaims): string[] =>
	[
		api_key,
		...(external_settings?.authorisation ?? []).map(({ value }) => value),
	].filter((value) => value !== undefined && value !== "") as string[];
