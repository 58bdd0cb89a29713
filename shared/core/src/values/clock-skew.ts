/** How much the clocks of processes may differ; one that is further back than another was set back. */
export const CLOCK_SKEW_MS = 60_000;
