import type { Tables } from "../db/tables.ts";

/** The columns that a reference to a product shows. The caller joins the product's currency. */
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
