export const DAY_MS = 24 * 3600 * 1000;

/** ISO 8601 UTC with milliseconds and `Z` (docs/decisions.md#timestamps). */
export const toIso = (timeMs: number): string => new Date(timeMs).toISOString();

export const toIsoOrNull = (timeMs: number | null): string | null =>
	timeMs === null ? null : toIso(timeMs);

/** The milliseconds of an ISO time; undefined and null stay as they are. */
export const fromIso = <Time extends string | null | undefined>(time: Time) =>
	(typeof time === "string" ? Date.parse(time) : time) as Time extends string
		? number
		: Exclude<Time, string>;

/** `created_at` and `updated_at` of a record. */
export const toTimes = (row: { createdAt: number; updatedAt: number }) => ({
	created_at: toIso(row.createdAt),
	updated_at: toIso(row.updatedAt),
});

/** The day of a time in UTC: YYYY-MM-DD. */
export const toDay = (timeMs: number): string => toIso(timeMs).slice(0, 10);
