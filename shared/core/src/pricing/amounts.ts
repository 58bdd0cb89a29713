import type { BillingType } from "@partnerwire/contract";

/** Amounts in minor units: one that is billed once, and one that is billed every period. */
export type Amounts = Readonly<Record<BillingType, bigint>>;

export const BUCKETS = ["one_time", "recurring"] as const;

export const NOTHING: Amounts = { one_time: 0n, recurring: 0n };

export const inBucket = (bucket: BillingType, amount: bigint): Amounts => ({
	...NOTHING,
	[bucket]: amount,
});

const combine = (
	a: Amounts,
	b: Amounts,
	of: (a: bigint, b: bigint) => bigint,
): Amounts => ({
	one_time: of(a.one_time, b.one_time),
	recurring: of(a.recurring, b.recurring),
});

export const add = (a: Amounts, b: Amounts) => combine(a, b, (x, y) => x + y);
export const subtract = (a: Amounts, b: Amounts) =>
	combine(a, b, (x, y) => x - y);
/** Math.min does not accept bigint. */
function lesser(a: bigint, b: bigint): bigint {
	if (a < b) return a;
	return b;
}

/** The smaller of both amounts, in each bucket. */
export const atMost = (a: Amounts, limit: Amounts) => combine(a, limit, lesser);

export const sum = (all: readonly Amounts[]) => all.reduce(add, NOTHING);
export const totalOf = ({ one_time, recurring }: Amounts) =>
	one_time + recurring;

/** Splits an amount to take off: from what is billed once first, and never more than is available. */
export function takeFrom(available: Amounts, amount: bigint): Amounts {
	const one_time = lesser(amount, available.one_time);
	const recurring = lesser(amount - one_time, available.recurring);
	return { one_time, recurring };
}
