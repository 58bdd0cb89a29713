const SECONDS = /^\d+$/;
/** Ten digits of seconds, about 317 years: longer than anybody waits, and short enough to be added to a date. */
const MOST_MS = 9_999_999_999_000;
// Date.parse reads "1.5" as the fifth of January, so only the three forms of RFC 9110 §5.6.7 are accepted.
const IMF_OR_RFC_850 =
	/^[A-Z][a-z]{2,8}, \d{1,2}[ -][A-Z][a-z]{2}[ -]\d{2,4} [\d:]{8} GMT$/;
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]?\d [\d:]{8} \d{4}$/;

function parseOne(value: string, nowMs: number): number | null {
	const text = value.trim();
	if (SECONDS.test(text)) return Math.min(Number(text) * 1000, MOST_MS);
	const date = IMF_OR_RFC_850.test(text)
		? Date.parse(text)
		: ASCTIME.test(text)
			? Date.parse(`${text} GMT`)
			: Number.NaN;
	return Number.isNaN(date)
		? null
		: Math.min(Math.max(0, date - nowMs), MOST_MS);
}

/**
 * Milliseconds to wait by a `Retry-After` value, in seconds or as an HTTP date (RFC 9110 §10.2.3). Null if it is neither. If there are
 * several, as from a proxy and from the receiver behind it, the longest counts.
 */
export function parseRetryAfter(
	value: string | readonly string[],
	nowMs: number,
): number | null {
	const values = typeof value === "string" ? [value] : value;
	let longest: number | null = null;
	for (const each of values) {
		const waitMs = parseOne(each, nowMs);
		if (waitMs !== null) longest = Math.max(longest ?? 0, waitMs);
	}
	return longest;
}
