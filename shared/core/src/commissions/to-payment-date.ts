import type { RecurringPeriod } from "@partnerwire/contract/pricing";

const DAY_MS = 24 * 3600 * 1000;
const MONTHS = { monthly: 1, quarterly: 3, yearly: 12 } as const;

const toDate = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10);

/** The same day a number of months later in UTC, or the last day of a shorter month. */
function addMonths(timeMs: number, months: number): number {
	const from = new Date(timeMs);
	const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months];
	const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
	return Date.UTC(year, month, Math.min(from.getUTCDate(), lastDay));
}

/**
 * The date of a payment, a number of periods after the stage was reached.
 *
 * @example
 * toPaymentDate(Date.parse("2026-01-31T12:00:00Z"), 1, "monthly"); // "2026-02-28"
 */
export const toPaymentDate = (
	reachedMs: number,
	after: number,
	period: RecurringPeriod,
): string =>
	toDate(
		period === "weekly"
			? reachedMs + after * 7 * DAY_MS
			: addMonths(reachedMs, after * MONTHS[period]),
	);
