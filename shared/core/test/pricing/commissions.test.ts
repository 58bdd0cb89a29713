import {
	CommissionCalculation,
	type CommissionEntry,
	paymentsOf,
} from "@partnerwire/contract/pricing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toPaymentDate } from "../../src/commissions/to-payment-date.ts";
import {
	type DealFacts,
	sumOf,
	toPayments,
} from "../../src/commissions/to-payments.ts";

const FIELD = 7;
const scalingConfig = {
	customFieldId: FIELD,
	tiers: [
		{ optionId: 1, option: "fixed", value: 50 },
		{ optionId: 2, option: "percentage", value: 2.5 },
		{ optionId: 3, option: "scaling", value: 9 },
	],
};
const deal = (dealValue: number | null, option?: number): DealFacts => ({
	dealValue,
	digits: 2,
	optionOf: (fieldId) => (fieldId === FIELD ? option : undefined),
});

/** An entry as the schema parses it. */
const entryOf = (calculation: object, override?: object): CommissionEntry =>
	CommissionCalculation.parse({
		entries: [{ payment_stage_id: 1, calculation, override }],
	}).entries[0] as CommissionEntry;
const amounts = (entry: CommissionEntry, facts: DealFacts) =>
	toPayments(entry, facts).map(({ amount }) => Number(amount) / 100);

const once = (members: object) => ({ type: "oneOff", ...members });
const recurring = {
	type: "recurring",
	option: "percentage",
	value: "1.5",
	recurring_period: "monthly",
	number_of_occurrences: 4,
};

describe("what an entry comes to", () => {
	test.each([
		["fixed", once({ option: "fixed", value: "99.995" }), deal(null), [100]],
		[
			"percentage",
			once({ option: "percentage", value: "10" }),
			deal(1234.56),
			[123.46],
		],
		[
			"percentage of no value",
			once({ option: "percentage", value: "10" }),
			deal(null),
			[0],
		],
		[
			"a tier that is fixed",
			once({ option: "scaling", scalingConfig }),
			deal(1000, 1),
			[50],
		],
		[
			"a tier in percent",
			once({ option: "scaling", scalingConfig }),
			deal(1000, 2),
			[25],
		],
		[
			"a tier without tiers",
			once({ option: "scaling", scalingConfig }),
			deal(1000, 3),
			[0],
		],
		["no tier", once({ option: "scaling", scalingConfig }), deal(1000, 4), [0]],
		["recurring", recurring, deal(1000), [15, 15, 15, 15]],
		[
			"rates of periods",
			{
				...recurring,
				periodRates: {
					enabled: true,
					periods: [
						{
							periodNumber: 1,
							startOccurrence: 2,
							endOccurrence: 3,
							option: "fixed",
							value: 1.005,
						},
						{
							periodNumber: 2,
							startOccurrence: 4,
							endOccurrence: 9,
							option: "scaling",
							value: 0,
							scalingConfig,
						},
					],
				},
			},
			deal(1000, 1),
			[15, 1.01, 1.01, 50],
		],
		[
			"rates that are switched off",
			{
				...recurring,
				periodRates: {
					enabled: false,
					periods: [
						{
							periodNumber: 1,
							startOccurrence: 1,
							endOccurrence: 9,
							option: "fixed",
							value: 1,
						},
					],
				},
			},
			deal(1000),
			[15, 15, 15, 15],
		],
		[
			"split",
			{
				type: "split",
				split: { oneOff: once({ option: "fixed", value: "30" }), recurring },
			},
			deal(1000),
			[30, 15, 15, 15, 15],
		],
	])("%s", (_, calculation, facts, expected) => {
		const entry = entryOf(calculation);
		expect(amounts(entry, facts)).toEqual(expected);
		expect(paymentsOf(entry)).toBe(expected.length);
	});

	test("an override takes the place of all of it", () => {
		const entry = entryOf(recurring, { amount: 12.345 });
		expect(amounts(entry, deal(1000))).toEqual([12.35]);
	});

	test("the total is the sum of the rounded payments, and none is negative", () => {
		const value = fc.integer({ min: 0, max: 99_999 }).map((n) => `${n / 1000}`);
		const dealValue = fc.integer({ min: -1e9, max: 1e9 }).map((n) => n / 100);
		const occurrences = fc.integer({ min: 1, max: 30 });
		fc.assert(
			fc.property(value, dealValue, occurrences, (percent, worth, times) => {
				const entry = entryOf({
					...recurring,
					value: percent,
					number_of_occurrences: times,
				});
				const payments = toPayments(entry, deal(worth));
				expect(payments).toHaveLength(times);
				const [{ amount } = { amount: 0n }] = payments;
				expect(amount).toBeGreaterThanOrEqual(0n);
				expect(sumOf(payments)).toBe(amount * BigInt(times));
			}),
		);
	});
});

test.each([
	["2026-01-31", 1, "monthly", "2026-02-28"],
	["2028-01-31", 1, "monthly", "2028-02-29"],
	["2026-11-30", 1, "quarterly", "2027-02-28"],
	["2028-02-29", 1, "yearly", "2029-02-28"],
	["2026-12-28", 1, "weekly", "2027-01-04"],
	["2026-12-31", 0, "monthly", "2026-12-31"],
] as const)("%s and %i %s is %s", (reached, after, period, expected) => {
	const reachedMs = Date.parse(`${reached}T23:59:59.999Z`);
	expect(toPaymentDate(reachedMs, after, period)).toBe(expected);
});

test.each([
	[{ type: "oneOff", value: "1" }, "option"],
	[{ type: "oneOff", option: "fixed" }, "value"],
	[{ type: "oneOff", option: "fixed", value: "" }, "value"],
	[{ type: "oneOff", option: "fixed", value: 10 }, "value"],
	[{ type: "oneOff", option: "fixed", value: "-1" }, "value"],
	[{ type: "oneOff", option: "fixed", value: "1e3" }, "value"],
	[{ type: "oneOff", option: "scaling" }, "scalingConfig"],
	[{ type: "split" }, "split"],
	[{ type: "monthly", option: "fixed", value: "1" }, "type"],
	[{ ...recurring, number_of_occurrences: 0 }, "number_of_occurrences"],
	[{ ...recurring, number_of_occurrences: 1201 }, "number_of_occurrences"],
	[{ ...recurring, recurring_period: "daily" }, "recurring_period"],
])("A055 %o is refused for its %s", (calculation, member) => {
	const parsed = CommissionCalculation.safeParse({
		entries: [{ payment_stage_id: 1, calculation }],
	});
	expect(parsed.error?.issues[0]?.path).toContain(member);
});
