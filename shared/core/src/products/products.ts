import type { Product, ProductUpdate } from "@partnerwire/contract";
import { and, eq, sql } from "drizzle-orm";
import type { Db } from "../db/db.ts";
import { defineQuery } from "../db/prepared.ts";
import type { Handlers } from "../execute/handlers.ts";
import { whenEqual } from "../resource/conditions.ts";
import { createRecords } from "../resource/create-records.ts";
import { listPage } from "../resource/list-page.ts";
import {
	createReferences,
	type References,
	toId,
} from "../resource/references.ts";
import { toIsoOrNull, toTimes } from "../values/times.ts";

/** Selects products with their currency. */
const selectProducts = ({ query, tables: { product, currency } }: Db) =>
	query
		.select({
			row: product,
			currency: {
				uuid: currency.uuid,
				code: currency.code,
				label: currency.label,
			},
		})
		.from(product)
		.leftJoin(currency, eq(currency.id, product.currencyId))
		.$dynamic();

type ProductRow = Awaited<ReturnType<typeof selectProducts>>[number];

const findProduct = defineQuery("product_by_uuid", (db) =>
	selectProducts(db).where(
		and(
			eq(db.tables.product.uuid, sql.placeholder("uuid")),
			eq(db.tables.product.companyUuid, sql.placeholder("companyUuid")),
		),
	),
);

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
	find: findProduct,
	attach: async () => () => null,
	toShown: toProduct,
	toColumns,
});

/** The operations on products. */
export const productHandlers = {
	listProducts: ({ query }, { db, caller }) => {
		const { product } = db.tables;
		return listPage(db, query, {
			table: product,
			query: selectProducts(db),
			scope: {
				companyUuid: caller.companyUuid,
				archived: { column: product.archivedAt, only: query.archived },
			},
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
			toItems: (rows) => products.showAll(rows, { db }),
		});
	},
	getProduct: products.handlers.get,
	createProduct: async ({ body }, context) => {
		const columns = await toColumns(body, createReferences(context));
		const defaults = {
			price: body.price ?? 0,
			billingType: body.billing_type ?? "one_time",
			status: body.status ?? "draft",
		} as const;
		return products.create({ ...columns, ...defaults }, context);
	},
	updateProduct: products.handlers.update,
	archiveProduct: products.handlers.archive,
	restoreProduct: products.handlers.restore,
} satisfies Partial<Handlers>;
