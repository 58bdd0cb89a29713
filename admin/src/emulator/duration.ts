const UNITS_MS = {
	W: 604_800_000,
	D: 86_400_000,
	H: 3_600_000,
	M: 60_000,
	S: 1000,
};
const NUMBER = String.raw`(\d+(?:\.\d+)?)`;
const DURATION = new RegExp(
	`^P(?=.)(?:${NUMBER}W)?(?:${NUMBER}D)?(?:T(?=.)(?:${NUMBER}H)?(?:${NUMBER}M)?(?:${NUMBER}S)?)?$`,
);

/**
 * Parses milliseconds, or an ISO 8601 duration of weeks, days, hours, minutes and seconds. Undefined for anything else.
 * Months and years have no fixed length: for those, set the clock.
 */
export function parseDuration(value: unknown): number | undefined {
	if (typeof value === "number")
		return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
	if (typeof value !== "string") return undefined;
	if (/^\d{1,15}$/.test(value)) return Number(value);
	const parts = DURATION.exec(value)?.slice(1);
	if (!parts) return undefined;
	const factors = Object.values(UNITS_MS);
	return Math.round(
		parts.reduce(
			(sum, part, i) => sum + Number(part ?? 0) * (factors[i] as number),
			0,
		),
	);
}
