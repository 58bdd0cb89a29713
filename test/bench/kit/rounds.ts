import type { BenchOptions } from "./report.ts";

/** Works for about this time, and returns its rate per second. */
export type Contender = (seconds: number) => Promise<number>;

/**
 * Warms the contenders up, then lets them work in turn. Each round has the opposite order of the one before, so that a slow time of
 * a shared machine slows all of them. Returns the rates of each, round by round.
 */
export async function runRounds<Name extends string>(
	contenders: Readonly<Record<Name, Contender>>,
	{ quick }: BenchOptions,
): Promise<Record<Name, number[]>> {
	const { rounds, seconds, warmUpSeconds } = quick
		? { rounds: 3, seconds: 0.6, warmUpSeconds: 1 }
		: { rounds: 7, seconds: 2, warmUpSeconds: 3 };
	const names = Object.keys(contenders) as Name[];
	const rates = Object.fromEntries(
		names.map((name) => [name, [] as number[]]),
	) as Record<Name, number[]>;
	for (const name of names) await contenders[name](warmUpSeconds);
	for (let round = 0; round < rounds; round++) {
		for (const name of names) rates[name].push(await contenders[name](seconds));
		names.reverse();
	}
	return rates;
}

/** The middle value; of an even number the mean of the two in the middle. */
export function median(values: readonly number[]): number {
	if (values.length === 0) throw new TypeError("nothing was measured");
	const sorted = values.toSorted((a, b) => a - b);
	const half = sorted.length / 2;
	const middle = sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1);
	return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

/** The median of the ratios within each round. */
export const medianRatio = (
	ours: readonly number[],
	baseline: readonly number[],
): number =>
	median(ours.map((rate, round) => rate / (baseline[round] as number)));

/** A median rate, and its lowest and highest round. */
export const showRates = (rates: readonly number[]): string =>
	`${Math.round(median(rates))}/s (${Math.round(Math.min(...rates))}–${Math.round(Math.max(...rates))})`;
