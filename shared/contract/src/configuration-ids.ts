/** The configuration id that the spec names. */
export const LEAD_INTEGRATION_SETTINGS = "lead_integration_settings";
/** Inside `lead_integration_settings`: its value names the lead's field used as the unique key. */
export const UNIQUE_FIELD_LEAD = "unique_field_lead";
