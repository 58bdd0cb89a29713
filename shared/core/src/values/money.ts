import { fromMinor, toDecimal, toMinor } from "./decimal.ts";

/** The digits after the point of a currency (ISO 4217), two where it is unknown. */
export function digitsOf(currency: string | undefined): number {
	if (!currency || !/^[A-Za-z]{3}$/.test(currency)) return 2;
	const { maximumFractionDigits = 2 } = new Intl.NumberFormat("en", {
		style: "currency",
		currency,
	}).resolvedOptions();
	return maximumFractionDigits;
}

/**
 * Rounds half away from zero to the currency's digits, on decimals: 1.005 is 1.01, although the double below it is
 * what is stored (decisions §1).
 *
 * @example
 * roundMoney(1.005, "EUR"); // 1.01
 */
export function roundMoney(value: number, currency?: string): number {
	const digits = digitsOf(currency);
	// Fifteen significant digits are what a double keeps of a decimal: the noise of a sum or a product is behind them.
	const decimal = toDecimal(Number(value.toPrecision(15)));
	return fromMinor(toMinor(decimal, digits), digits);
}
