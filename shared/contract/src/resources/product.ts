import * as z from "zod";
import { crud, nestedCrud } from "../table/crud.ts";
import { queryBoolean, querySearch, sortQuery } from "../table/list-query.ts";
import { money, quantity } from "../table/numbers.ts";
import { CurrencyRef } from "../table/references.ts";
import { requiredLine, text, timestamp } from "../table/text.ts";
import { Uuid } from "../table/uuid.ts";

/* Products, and the products of leads and deals. */

/** `one_time` is the contract's. Products that are billed repeatedly have a period. */
export const BillingType = z.enum(["one_time", "recurring"]);
export type BillingType = z.infer<typeof BillingType>;

export const BillingPeriod = z.enum(["monthly", "quarterly", "yearly"]);
export type BillingPeriod = z.infer<typeof BillingPeriod>;

/** Only DELETE makes a product `archived`; no body sets it (docs/decisions.md#products). */
const ProductStatus = z.enum(["draft", "live", "archived"]);

export const Product = z.object({
	uuid: z.string(),
	name: z.string(),
	sku: z.string().nullable(),
	description: z.string().nullable(),
	price: z.number(),
	billing_type: BillingType,
	billing_period: BillingPeriod.nullable(),
	status: ProductStatus,
	currency: CurrencyRef.nullable(),
	archived_at: timestamp().nullable(),
	created_at: timestamp(),
	updated_at: timestamp(),
});
export type Product = z.infer<typeof Product>;

const writable = {
	name: requiredLine(),
	sku: text().nullable(),
	description: text(10_000).nullable(),
	price: money().min(0),
	billing_type: BillingType,
	billing_period: BillingPeriod.nullable(),
	status: ProductStatus.exclude(["archived"]),
	currency_uuid: Uuid.nullable(),
};

export const ProductCreate = z
	.object(writable)
	.partial()
	.extend({ name: writable.name });
export type ProductCreate = z.infer<typeof ProductCreate>;

export const ProductUpdate = z.object(writable).partial();
export type ProductUpdate = z.infer<typeof ProductUpdate>;

const productFilters = {
	search: querySearch().optional(),
	status: ProductStatus.exclude(["archived"]).optional(),
	billing_type: BillingType.optional(),
	archived: queryBoolean().default(false),
	sort: sortQuery("name", "-name"),
};

/** The products that leads, deals and pricing calculators refer to. */
export const productOperations = crud({
	noun: "Product",
	plural: "Products",
	removal: "archive",
	path: "/v1/products",
	item: Product,
	create: ProductCreate,
	update: ProductUpdate,
	filters: productFilters,
});

/** A product as leads, deals and calculators show it, also after it was archived. */
export const ProductRef = z.object({
	uuid: z.string(),
	name: z.string(),
	sku: z.string().nullable(),
	price: z.number(),
	billing_type: BillingType,
	billing_period: BillingPeriod.nullable(),
	currency_code: z.string().nullable(),
});
export type ProductRef = z.infer<typeof ProductRef>;

/** A product on a lead or a deal. */
export const RecordProduct = z.object({
	uuid: z.string(),
	product: ProductRef,
	quantity: z.number(),
	unit_price: z.number(),
	created_at: timestamp(),
	updated_at: timestamp(),
});
export type RecordProduct = z.infer<typeof RecordProduct>;

const line = { quantity: quantity(), unit_price: money() };

/** The unit price defaults to the product's price, the quantity to 1. */
export const RecordProductCreate = z
	.object(line)
	.partial()
	.extend({ product_uuid: Uuid });
export type RecordProductCreate = z.infer<typeof RecordProductCreate>;

export const RecordProductUpdate = z.object(line).partial();
export type RecordProductUpdate = z.infer<typeof RecordProductUpdate>;

const products = {
	segment: "products",
	item: RecordProduct,
	create: RecordProductCreate,
	update: RecordProductUpdate,
};
const leadUpdated = ["lead_updated"] as const;
const dealUpdated = ["deal_updated"] as const;

export const leadProductOperations = nestedCrud({
	...products,
	noun: "LeadProduct",
	plural: "LeadProducts",
	parent: "/v1/leads/{uuid}",
	group: "Leads",
	emits: { create: leadUpdated, update: leadUpdated, remove: leadUpdated },
});

export const dealProductOperations = nestedCrud({
	...products,
	noun: "DealProduct",
	plural: "DealProducts",
	parent: "/v1/deals/{uuid}",
	group: "Deals",
	emits: { create: dealUpdated, update: dealUpdated, remove: dealUpdated },
});
