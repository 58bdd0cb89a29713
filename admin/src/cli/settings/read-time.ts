import { UsageError } from "../usage-error.ts";

/** Reads a time with an offset, in the API's format. Throws a `UsageError` that names the flag. */
export function readTime(text: string, flag: string): string {
	const isTime = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text);
	if (isTime && !Number.isNaN(Date.parse(text))) return text;
	throw new UsageError(
		`${flag} must be a date and time with an offset, such as 2026-12-01T00:00:00Z`,
	);
}

const UNITS_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads a duration such as 90s, 15m, 1h or 2d as milliseconds. Throws a `UsageError` that names the flag. */
export function readDurationMs(text: string, flag: string): number {
	const [, count, unit] = /^([1-9]\d{0,5})([smhd])$/.exec(text) ?? [];
	if (!unit)
		throw new UsageError(
			`${flag} must be a duration in seconds, minutes, hours or days, such as 90s, 15m, 1h or 2d`,
		);
	return Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
}
