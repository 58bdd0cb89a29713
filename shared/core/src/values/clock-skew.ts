/** How much the clocks of processes may differ. A clock that is further back was set back. */
export const CLOCK_SKEW_MS = 60_000;
