import { UsageError } from "../usage-error.ts";

/** Reads the whole number of a flag. Throws a `UsageError` that names the flag and its bounds. */
export function toCount(
	text: string,
	flag: string,
	minimum: number,
	maximum: number,
): number {
	const count = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
	if (count >= minimum && count <= maximum) return count;
	throw new UsageError(
		`${flag} must be a whole number from ${minimum} to ${maximum}`,
	);
}
