/** An exact decimal: `units` divided by ten to the power of `scale`. */
export interface Decimal {
	readonly units: bigint;
	/** Digits after the point, at least 0. */
	readonly scale: number;
}

const power = (digits: number) => 10n ** BigInt(digits);

/** The shortest decimal that prints as the number: 0.1 is one tenth, not the nearest double. */
export function toDecimal(value: number | string): Decimal {
	const [mantissa = "0", exponent = "0"] = String(value).split("e");
	const [whole = "0", fraction = ""] = mantissa.split(".");
	const units = BigInt(whole + fraction);
	const scale = fraction.length - Number(exponent);
	return scale >= 0
		? { units, scale }
		: { units: units * power(-scale), scale: 0 };
}

/** The exact product. */
export const multiply = (...factors: readonly Decimal[]): Decimal =>
	factors.reduce((product, { units, scale }) => ({
		units: product.units * units,
		scale: product.scale + scale,
	}));

/**
 * A decimal divided by `divisor`, in minor units of a currency with that many digits, rounded half away from zero
 * (docs/decisions.md#money).
 *
 * @example
 * toMinor(toDecimal(1.005), 2); // 101n
 */
export function toMinor(
	{ units, scale }: Decimal,
	digits: number,
	divisor = 1n,
): bigint {
	const numerator = units * power(digits);
	const denominator = power(scale) * divisor;
	const magnitude = numerator < 0n ? -numerator : numerator;
	const rounded = (2n * magnitude + denominator) / (2n * denominator);
	return numerator < 0n ? -rounded : rounded;
}

/** Minor units as a number in whole units. */
export const fromMinor = (minor: bigint, digits: number): number =>
	Number(`${minor}e-${digits}`);

/** A percentage of an amount, in minor units, rounded half away from zero. */
export const percentOf = (minor: bigint, percent: number | string): bigint =>
	toMinor(multiply({ units: minor, scale: 0 }, toDecimal(percent)), 0, 100n);

/** Whether `value` is `base` plus a whole multiple of `step`, exactly. */
export function isStep(value: number, base: number, step: number): boolean {
	const decimals = [value, base, step].map(toDecimal);
	const scale = Math.max(...decimals.map((decimal) => decimal.scale));
	const [scaledValue = 0n, scaledBase = 0n, scaledStep = 1n] = decimals.map(
		(decimal) => decimal.units * power(scale - decimal.scale),
	);
	return (scaledValue - scaledBase) % scaledStep === 0n;
}
