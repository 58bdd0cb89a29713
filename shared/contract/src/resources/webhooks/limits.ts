/*
 * Limits and defaults of integrations that other packages use. They are in a file of their own, so that browsers load no schema.
 */

/** Failed deliveries of an integration are counted up to here, because there may be very many. */
export const MOST_GIVEN_UP = 1000;

/** The default rate of held deliveries after a resume, per second (docs/decisions.md#resume). */
export const RELEASE_PER_SECOND = 50;

/** The longest delay of a retry schedule: seven days. */
export const MAX_RETRY_DELAY_S = 604_800;
