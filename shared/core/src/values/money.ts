import { fromMinor, toDecimal, toMinor } from "./decimal.ts";

/** The digits after the decimal point of a currency (ISO 4217); two if it is unknown. */
export function digitsOf(currency: string | undefined): number {
	if (!currency || !/^[A-Za-z]{3}$/.test(currency)) return 2;
	const { maximumFractionDigits = 2 } = new Intl.NumberFormat("en", {
		style: "currency",
		currency,
	}).resolvedOptions();
	return maximumFractionDigits;
}

/**
 * Rounds half away from zero to the currency's digits, in decimals: 1.005 becomes 1.01, although the stored double is
 * slightly less (docs/decisions.md#money).
 *
 * @example
 * roundMoney(1.005, "EUR"); // 1.01
 */
export function roundMoney(value: number, currency?: string): number {
	const digits = digitsOf(currency);
	// A double keeps fifteen significant digits of a decimal. The noise of a sum or a product comes after them.
	const decimal = toDecimal(Number(value.toPrecision(15)));
	return fromMinor(toMinor(decimal, digits), digits);
}
