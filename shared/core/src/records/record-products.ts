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
import { createParts, type PartKind } from "../resource/create-parts.ts";
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

const onRecords = {
	table: "recordProduct",
	noun: "product",
	select: selectRecordProducts,
	toShown,
	toCreated: async (body, references) => {
		const product = await references.find(
			"product",
			"product_uuid",
			body.product_uuid,
		);
		references.refuseInvalid();
		return {
			productUuid: product.uuid,
			quantity: body.quantity ?? 1,
			unitPrice: body.unit_price ?? product.price,
		};
	},
	toChanged: async (body) => ({
		quantity: body.quantity,
		unitPrice: body.unit_price,
	}),
} as const satisfies Partial<
	PartKind<
		"recordProduct",
		ProductRow,
		RecordProduct,
		RecordProductCreate,
		RecordProductUpdate
	>
>;

const onLeads = createParts({
	...onRecords,
	entity: "lead_product",
	parents: leads,
	column: "leadUuid",
});
const onDeals = createParts({
	...onRecords,
	entity: "lead_deal_product",
	parents: deals,
	column: "dealUuid",
});

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
