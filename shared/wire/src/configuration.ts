/** One entry of the `configuration` array of a webhook body (docs/contract.md#payload). */
export interface ConfigurationEntry {
	id: string;
	selected: { id: string; value: string }[];
}

/** The whole `configuration` array; the ids are an open set of which the contract names two. */
export type Configuration = ConfigurationEntry[];

/** The configuration id that the contract names. */
export const LEAD_INTEGRATION_SETTINGS = "lead_integration_settings";

/** Inside `lead_integration_settings`: its value names the lead's field that is the unique key. */
export const UNIQUE_FIELD_LEAD = "unique_field_lead";
