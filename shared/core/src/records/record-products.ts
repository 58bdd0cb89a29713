import type {
	RecordProduct,
	RecordProductCreate,
	RecordProductUpdate,
} from "@partnerwire/contract";
import { eq } from "drizzle-orm";
import type { Db } from "../db/db.ts";
import { deals } from "../deals/deals.ts";
import type { Handlers } from "../execute/handlers.ts";
import { leads } from "../leads/leads.ts";
import { shownProduct } from "../products/product-ref.ts";
import { createParts, type PartParents } from "../resource/create-parts.ts";
import { toTimes } from "../values/times.ts";

/** The products of records, including those archived after they were added. */
const selectRecordProducts = ({
	query,
	tables: { recordProduct, product, currency },
}: Db) =>
	query
		.select({
			row: recordProduct,
			product: shownProduct({ product, currency }),
		})
		.from(recordProduct)
		.innerJoin(product, eq(product.uuid, recordProduct.productUuid))
		.leftJoin(currency, eq(currency.id, product.currencyId))
		.$dynamic();

type ProductRow = Awaited<ReturnType<typeof selectRecordProducts>>[number];

const toShown = ({ row, product }: ProductRow): RecordProduct => ({
	uuid: row.uuid,
	product,
	quantity: row.quantity,
	unit_price: row.unitPrice,
	...toTimes(row),
});

const createProducts = (
	entity: "lead_product" | "lead_deal_product",
	column: "leadUuid" | "dealUuid",
	parents: PartParents,
) =>
	createParts({
		table: "recordProduct",
		entity,
		noun: "product",
		parents,
		column,
		select: selectRecordProducts,
		toShown,
		defaults: { quantity: 1 },
		toColumns: async (
			body: RecordProductUpdate & Partial<RecordProductCreate>,
			references,
		) => {
			const product = await references.find(
				"product",
				"product_uuid",
				body.product_uuid,
			);
			references.refuseInvalid();
			return {
				productUuid: product?.uuid,
				quantity: body.quantity,
				unitPrice: body.unit_price ?? product?.price,
			};
		},
	}).handlers;

const onLeads = createProducts("lead_product", "leadUuid", leads);
const onDeals = createProducts("lead_deal_product", "dealUuid", deals);

/** The operations on the products of leads and deals. */
export const recordProductHandlers = {
	listLeadProducts: onLeads.list,
	createLeadProduct: onLeads.create,
	updateLeadProduct: onLeads.update,
	deleteLeadProduct: onLeads.remove,
	listDealProducts: onDeals.list,
	createDealProduct: onDeals.create,
	updateDealProduct: onDeals.update,
	deleteDealProduct: onDeals.remove,
} satisfies Partial<Handlers>;
