import { UsageError } from "./usage-error.ts";

/** A time with an offset, as the API takes it. Throws a `UsageError` that names the flag. */
export function readTime(text: string, flag: string): string {
	const isTime = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text);
	if (isTime && !Number.isNaN(Date.parse(text))) return text;
	throw new UsageError(
		`${flag} must be a date and time with an offset, such as 2026-12-01T00:00:00Z`,
	);
}
