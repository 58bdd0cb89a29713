import {
	Product,
	ProductCreate,
	ProductUpdate,
	productFilters,
} from "../resources/product.ts";
import { crud } from "../table/crud.ts";

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
