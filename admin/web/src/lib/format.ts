const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const count = new Intl.NumberFormat("en");
const moment = new Intl.DateTimeFormat("en-GB", {
	dateStyle: "medium",
	timeStyle: "medium",
});

const STEPS = [
	["day", 86_400_000],
	["hour", 3_600_000],
	["minute", 60_000],
] as const;

/** "3 minutes ago", "in 2 hours"; within a minute "just now" or "in less than a minute". */
export function toRelative(iso: string, nowMs: number): string {
	const ms = Date.parse(iso) - nowMs;
	for (const [unit, size] of STEPS)
		if (Math.abs(ms) >= size)
			return relative.format(Math.trunc(ms / size), unit);
	return ms > 0 ? "in less than a minute" : "just now";
}

/** A point in time in the reader's time zone, to the second. */
export const toMoment = (iso: string): string => moment.format(Date.parse(iso));

/** 1234567 → "1,234,567". */
export const toCount = (value: number): string => count.format(value);

/** 1 → "1 delivery", 2 → "2 deliveries". */
export const toCounted = (
	value: number,
	one: string,
	many = `${one}s`,
): string => `${toCount(value)} ${value === 1 ? one : many}`;

/** Milliseconds in the unit that fits: "0.4 ms", "38 ms", "1.2 s". */
export function toDuration(ms: number): string {
	if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
	return ms >= 10 || ms === 0 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`;
}

/** Seconds in words: 5 → "5 seconds", 7200 → "2 hours". */
export function toSpan(seconds: number): string {
	if (seconds >= 7200) return toCounted(Math.round(seconds / 3600), "hour");
	if (seconds >= 120) return toCounted(Math.round(seconds / 60), "minute");
	return toCounted(Math.ceil(seconds), "second");
}

/** JSON text with indents; other text as it is. */
export function toPretty(text: string): string {
	try {
		return JSON.stringify(JSON.parse(text), null, 2);
	} catch {
		return text;
	}
}

/** A `datetime-local` input's text as an instant; null when empty. */
export const fromLocalInput = (text: string): string | null =>
	text === "" ? null : new Date(text).toISOString();

/** Cuts a label that is too long for a sentence. */
export const toShort = (text: string, length = 80): string => {
	const points = [...text];
	return points.length > length
		? `${points.slice(0, length - 1).join("")}…`
		: text;
};

const ISO = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z\b/g;

/** Rewrites the times in a sentence to the reader's time zone. */
export const toLocalTimes = (sentence: string): string =>
	sentence.replace(ISO, toMoment);
