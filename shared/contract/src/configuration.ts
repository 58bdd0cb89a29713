import { z } from "zod";
import { text } from "./table/text.ts";

const Selected = z.object({ id: text(), value: text(4096) });

/** One entry of the `configuration` array of a webhook body (docs/contract.md#payload). */
export const ConfigurationEntry = z.object({
	id: text(),
	selected: z.array(Selected).max(100),
});
export type ConfigurationEntry = z.infer<typeof ConfigurationEntry>;

/** The whole `configuration` array; the ids are an open set, of which the contract names two. */
export const Configuration = z.array(ConfigurationEntry).max(100);
export type Configuration = z.infer<typeof Configuration>;

/** The integration's `external_settings` (docs/contract.md#webhook-requests). */
export const ExternalSettings = z.object({
	authorisation: z.array(z.object({ id: text(), value: text(4096) })).max(100),
});
export type ExternalSettings = z.infer<typeof ExternalSettings>;
