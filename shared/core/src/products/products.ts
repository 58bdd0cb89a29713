import type { Product, ProductUpdate } from "@partnerwire/contract";
import { eq } from "drizzle-orm";
import type { Db } from "../db/db.ts";
import type { Handlers } from "../execute/handlers.ts";
import { whenEqual } from "../resource/conditions.ts";
import { createRecords } from "../resource/create-records.ts";
import { type References, toId } from "../resource/references.ts";
import { toCurrencyRef } from "../resource/to-ref.ts";
import { toIsoOrNull, toTimes } from "../values/times.ts";

/** Selects products with their currency. */
const selectProducts = ({ query, tables: { product, currency } }: Db) =>
	query
		.select({ row: product, currency: toCurrencyRef(currency) })
		.from(product)
		.leftJoin(currency, eq(currency.id, product.currencyId))
		.$dynamic();

type ProductRow = Awaited<ReturnType<typeof selectProducts>>[number];

const toProduct = ({ row, currency }: ProductRow): Product => ({
	uuid: row.uuid,
	name: row.name,
	sku: row.sku,
	description: row.description,
	price: row.price,
	billing_type: row.billingType,
	billing_period: row.billingPeriod,
	status: row.archivedAt === null ? row.status : "archived",
	currency,
	archived_at: toIsoOrNull(row.archivedAt),
	...toTimes(row),
});

async function toColumns(
	body: ProductUpdate,
	references: References,
): Promise<Partial<ProductRow["row"]>> {
	const currency = await references.find(
		"currency",
		"currency_uuid",
		body.currency_uuid,
	);
	references.refuseInvalid();
	return {
		name: body.name,
		sku: body.sku,
		description: body.description,
		price: body.price,
		billingType: body.billing_type,
		billingPeriod: body.billing_period,
		status: body.status,
		currencyId: toId(currency),
	};
}

const products = createRecords({
	table: "product",
	entity: "product",
	noun: "product",
	isCounted: true,
	select: selectProducts,
	defaults: { price: 0, billingType: "one_time", status: "draft" },
	toShown: toProduct,
	toColumns,
});

/** The operations on products. */
export const productHandlers = {
	listProducts: ({ query }, context) => {
		const { product } = context.db.tables;
		return products.list(query, context, {
			search: {
				index: {
					table: "product",
					uuid: product.uuid,
					columns: [product.name, product.sku],
				},
				text: query.search,
			},
			conditions: [
				whenEqual(product.status, query.status),
				whenEqual(product.billingType, query.billing_type),
			],
			sortable: { name: product.name },
		});
	},
	getProduct: products.handlers.get,
	createProduct: products.handlers.create,
	updateProduct: products.handlers.update,
	archiveProduct: products.handlers.archive,
	restoreProduct: products.handlers.restore,
} satisfies Partial<Handlers>;
