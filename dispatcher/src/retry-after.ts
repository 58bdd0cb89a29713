const SECONDS = /^\d{1,10}$/;
// Date.parse alone takes "1.5" for the fifth of January, so the three forms of RFC 9110, 5.6.7 are recognised first.
const IMF_OR_RFC_850 =
	/^[A-Z][a-z]{2,8}, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} [\d:]{8} GMT$/;
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4}$/;

/** Milliseconds to wait by a `Retry-After` value, in seconds or as an HTTP date (RFC 9110, 10.2.3); null if it is neither. */
export function parseRetryAfter(value: string, nowMs: number): number | null {
	const text = value.trim();
	if (SECONDS.test(text)) return Number(text) * 1000;
	const date = IMF_OR_RFC_850.test(text)
		? Date.parse(text)
		: ASCTIME.test(text)
			? Date.parse(`${text} GMT`)
			: Number.NaN;
	return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}
