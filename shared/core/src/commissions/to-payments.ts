import type {
	CommissionCalc,
	CommissionEntry,
	CommissionOption,
	RecurringPeriod,
	ScalingConfig,
} from "@partnerwire/contract/pricing";
import { multiply, toDecimal, toMinor } from "../values/decimal.ts";

/** The values of a deal that its commission is calculated from. */
export interface DealFacts {
	readonly dealValue: number | null;
	/** Digits of the deal's currency. */
	readonly digits: number;
	/** The deal's option in a select field, by the field's integer id. */
	optionOf(fieldId: number): number | undefined;
}

/** One payment: how many periods after the stage was reached, and its amount in minor units. */
export interface DuePayment {
	readonly after: number;
	readonly period: RecurringPeriod;
	readonly amount: bigint;
}

interface Rate {
	readonly option?: CommissionOption | null | undefined;
	readonly value?: string | number | null | undefined;
	readonly scalingConfig?: ScalingConfig | null | undefined;
}

/** The amount of a rate, rounded half away from zero (docs/decisions.md#calculation-of-a-commission). */
function amountOf(
	{ option, value, scalingConfig }: Rate,
	deal: DealFacts,
): bigint {
	switch (option) {
		case "fixed":
			return toMinor(toDecimal(value || 0), deal.digits);
		case "percentage": {
			const factors = [Math.max(0, deal.dealValue ?? 0), value || 0];
			return toMinor(
				multiply(...factors.map((factor) => toDecimal(factor))),
				deal.digits,
				100n,
			);
		}
		case "scaling": {
			const option =
				scalingConfig && deal.optionOf(scalingConfig.customFieldId);
			const tier = scalingConfig?.tiers.find(
				({ optionId }) => optionId === option,
			);
			// A tier has no tiers of its own.
			return tier ? amountOf({ ...tier, scalingConfig: null }, deal) : 0n;
		}
		default:
			return 0n;
	}
}

/** One payment for each occurrence. The rate of a period replaces the usual rate for its occurrences. */
function toRecurring(
	calculation: Omit<CommissionCalc, "type">,
	deal: DealFacts,
): DuePayment[] {
	const { number_of_occurrences, recurring_period, periodRates } = calculation;
	const usual = amountOf(calculation, deal);
	const periods = periodRates?.enabled ? periodRates.periods : [];
	return Array.from({ length: number_of_occurrences ?? 1 }, (_, after) => {
		const periodRate = periods.find(
			({ startOccurrence, endOccurrence }) =>
				after + 1 >= startOccurrence && after + 1 <= endOccurrence,
		);
		return {
			after,
			period: recurring_period ?? "monthly",
			amount: periodRate ? amountOf(periodRate, deal) : usual,
		};
	});
}

const atOnce = (amount: bigint): DuePayment => ({
	after: 0,
	period: "monthly",
	amount,
});

/** The payments of an entry. An override replaces all of them by one payment. */
export function toPayments(
	{ calculation, override }: CommissionEntry,
	deal: DealFacts,
): DuePayment[] {
	if (override)
		return [atOnce(toMinor(toDecimal(override.amount), deal.digits))];
	const { type, split } = calculation;
	switch (type) {
		case "oneOff":
			return [atOnce(amountOf(calculation, deal))];
		case "recurring":
			return toRecurring(calculation, deal);
		case "split":
			return split
				? [
						atOnce(amountOf(split.oneOff, deal)),
						...toRecurring(split.recurring, deal),
					]
				: [];
	}
}

export const sumOf = (payments: readonly DuePayment[]): bigint =>
	payments.reduce((sum, { amount }) => sum + amount, 0n);
