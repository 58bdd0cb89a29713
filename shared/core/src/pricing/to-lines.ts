import {
	ApiError,
	type BillingPeriod,
	invalidMembers,
} from "@partnerwire/contract";
import type {
	PricingCalculator,
	PricingCalculatorProduct,
	PricingEvaluate,
	PricingValue,
} from "@partnerwire/contract/pricing";
import { multiply, percentOf, toDecimal, toMinor } from "../values/decimal.ts";
import { type Amounts, inBucket } from "./amounts.ts";
import {
	isConditionMet,
	toNumber,
	type Variables,
} from "./is-condition-met.ts";
import { parseCondition } from "./parse-condition.ts";

/** A product with its quantity and price in this request. Amounts are in minor units. */
export interface Line {
	readonly item: PricingCalculatorProduct;
	readonly quantity: number;
	readonly unitPrice: number;
	readonly amount: bigint;
	readonly periodDiscount: bigint;
	readonly total: Amounts;
}

const MONTHS: Readonly<Record<BillingPeriod, number>> = {
	monthly: 1,
	quarterly: 3,
	yearly: 12,
};

/** The requested products by uuid, with the requested quantity if there is one. */
type Selection = ReadonlyMap<string, number | undefined>;

function toSelection(
	products: readonly PricingCalculatorProduct[],
	requested: NonNullable<PricingEvaluate["selected_products"]>,
): Selection {
	const invalid = requested.flatMap((selected, index) => {
		const product = products.find(({ uuid }) => uuid === selected.uuid);
		const field = `body/selected_products/${index}`;
		if (!product)
			return [{ field, message: "is no product of this calculator" }];
		const isFixed = "quantity" in selected && !product.quantity_editable;
		const message = "the quantity of this product cannot be chosen";
		return isFixed && selected.quantity !== undefined
			? [{ field: `${field}/quantity`, message }]
			: [];
	});
	if (invalid.length > 0) throw invalidMembers(invalid);
	return new Map(
		requested.map((selected) => [
			selected.uuid,
			"quantity" in selected ? selected.quantity : undefined,
		]),
	);
}

/** A variable's value as a quantity: a checkbox is 1 or 0, a blank and a negative number are 0. */
function toCount(name: string, value: PricingValue): number {
	if (value === null) return 0;
	const count = typeof value === "boolean" ? Number(value) : toNumber(value);
	if (count === undefined)
		throw invalidMembers([
			{
				field: `body/values/${name}`,
				message: "must be a number, because a quantity follows it",
			},
		]);
	return Math.max(0, count);
}

function quantityOf(item: PricingCalculatorProduct, variables: Variables) {
	switch (item.quantity_type) {
		case "fixed":
			return item.quantity_fixed ?? 1;
		case "variable": {
			const name = item.quantity_variable_name ?? "";
			return toCount(name, variables.get(name) ?? null);
		}
		case "conditional": {
			const condition = parseCondition(item.quantity_condition ?? "");
			const quantity = isConditionMet(condition, variables)
				? item.quantity_if_true
				: item.quantity_if_false;
			return quantity ?? 0;
		}
	}
}

/** The price of a product. Nothing is converted: a product in another currency needs a `price_override`. */
function priceOf(
	{ product, price_override }: PricingCalculatorProduct,
	currency: string | undefined,
): number {
	if (price_override !== null) return price_override;
	const isOther =
		currency && product.currency_code && product.currency_code !== currency;
	if (isOther)
		throw new ApiError(
			"conflict",
			`the product "${product.name}" is priced in ${product.currency_code}, the calculator in ${currency}; give it a price_override`,
		);
	return product.price;
}

/** The lines of a calculator in their order. An optional product is there if selected, or included by default. */
export function toLines(
	{ products, currency, display_settings }: PricingCalculator,
	{ selected_products: requested }: PricingEvaluate,
	variables: Variables,
	{ period, digits }: { period: BillingPeriod; digits: number },
): Line[] {
	const selection = requested && toSelection(products, requested);
	const isWanted = (item: PricingCalculatorProduct) =>
		!item.is_optional ||
		(selection ? selection.has(item.uuid) : item.is_included_by_default);
	return products.filter(isWanted).map((item) => {
		const quantity = selection?.get(item.uuid) ?? quantityOf(item, variables);
		const unitPrice = priceOf(item, currency?.code);
		const { billing_type: bucket, billing_period: productPeriod } =
			item.product;
		const isRecurring = bucket === "recurring";
		const months = isRecurring
			? [MONTHS[period], MONTHS[productPeriod ?? "monthly"]]
			: [1, 1];
		const amount = toMinor(
			multiply(...[quantity, unitPrice, months[0] as number].map(toDecimal)),
			digits,
			BigInt(months[1] as number),
		);
		const percent = display_settings.periodDiscounts[period] ?? 0;
		const periodDiscount = isRecurring ? percentOf(amount, percent) : 0n;
		const total = inBucket(bucket, amount - periodDiscount);
		return { item, quantity, unitPrice, amount, periodDiscount, total };
	});
}
