import type { Tables } from "../db/tables.ts";

/** The columns of it; the currency is joined from the product's. */
export const shownProduct = ({
	product,
	currency,
}: Pick<Tables, "product" | "currency">) => ({
	uuid: product.uuid,
	name: product.name,
	sku: product.sku,
	price: product.price,
	billing_type: product.billingType,
	billing_period: product.billingPeriod,
	currency_code: currency.code,
});
