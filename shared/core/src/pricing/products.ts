import { ApiError, invalidMembers } from "@partnerwire/contract";
import type {
	PricingCalculatorProductCreate,
	PricingCalculatorProductUpdate,
} from "@partnerwire/contract/pricing";
import { asc } from "drizzle-orm";
import type { Handlers } from "../execute/handlers.ts";
import { createParts } from "../resource/create-parts.ts";
import type { Invalid } from "../resource/references.ts";
import {
	type CalculatorParts,
	selectProducts,
	toCalculatorProduct,
} from "./calculator-view.ts";
import { calculators } from "./calculators.ts";
import { partsOf } from "./fields.ts";
import { nextSortOrder } from "./next-sort-order.ts";
import { findInvalid } from "./variables.ts";

/** Throws a 400 if the quantity could not be calculated, or the anchor is not a field of the calculator. */
function check(
	body: PricingCalculatorProductUpdate,
	before: PricingCalculatorProductUpdate,
	parts: CalculatorParts,
): void {
	const { quantity_type, quantity_variable_name, quantity_condition } = {
		...before,
		...body,
	};
	const invalid: Invalid[] = findInvalid(body, parts);
	if (quantity_type === "variable" && !quantity_variable_name)
		invalid.push({
			field: "body/quantity_variable_name",
			message: "is required where the quantity is variable",
		});
	if (quantity_type === "conditional" && !quantity_condition)
		invalid.push({
			field: "body/quantity_condition",
			message: "is required where the quantity is conditional",
		});
	const { anchor_field_id: anchor } = body;
	if (
		typeof anchor === "number" &&
		!parts.fields.some(({ id }) => id === anchor)
	)
		invalid.push({
			field: "body/anchor_field_id",
			message: "is no field of this calculator",
		});
	if (invalid.length > 0) throw invalidMembers(invalid);
}

const products = createParts({
	table: "calculatorProduct",
	entity: "pricing_calculator_product",
	noun: "product",
	parents: calculators,
	column: "calculatorUuid",
	select: selectProducts,
	order: ({ tables }) => asc(tables.calculatorProduct.sortOrder),
	toShown: toCalculatorProduct,
	defaults: {
		quantityType: "fixed",
		isOptional: false,
		isIncludedByDefault: true,
		quantityEditable: false,
	},
	toColumns: async (
		body: PricingCalculatorProductUpdate &
			Partial<PricingCalculatorProductCreate>,
		references,
		{ context, parentUuid, viewed },
	) => {
		const product = await references.find(
			"product",
			"product_uuid",
			body.product_uuid,
		);
		references.refuseInvalid();
		const parts = await partsOf(parentUuid, context);
		check(body, viewed ? toCalculatorProduct(viewed) : {}, parts);
		return {
			productUuid: product?.uuid,
			sortOrder:
				body.sort_order ?? (viewed ? undefined : nextSortOrder(parts.products)),
			quantityType: body.quantity_type,
			quantityFixed: body.quantity_fixed,
			quantityVariableName: body.quantity_variable_name,
			quantityCondition: body.quantity_condition,
			quantityIfTrue: body.quantity_if_true,
			quantityIfFalse: body.quantity_if_false,
			priceOverride: body.price_override,
			isOptional: body.is_optional,
			isIncludedByDefault: body.is_included_by_default,
			quantityEditable: body.quantity_editable,
			anchorFieldId: body.anchor_field_id,
		};
	},
	removing: async ({ uuid, productUuid, calculatorUuid }, context) => {
		const parts = await partsOf(calculatorUuid, context);
		const isLast = !parts.products.some(
			(other) => other.uuid !== uuid && other.product.uuid === productUuid,
		);
		const user = parts.formulas.find(
			({ selected_product_uuid: selected, selected_sources, formula_config }) =>
				selected === uuid ||
				formula_config?.presentation?.target_product_uuid === uuid ||
				(isLast && selected === productUuid) ||
				selected_sources.some(
					(source) => source.pricing_calculator_product_uuid === uuid,
				),
		);
		if (!user) return;
		throw new ApiError(
			"conflict",
			`this product is used by the formula "${user.name}"; change that first`,
		);
	},
}).handlers;

/** The operations on the products of a pricing calculator. */
export const calculatorProductHandlers = {
	listPricingCalculatorProducts: products.list,
	createPricingCalculatorProduct: products.create,
	updatePricingCalculatorProduct: products.update,
	deletePricingCalculatorProduct: products.remove,
} satisfies Partial<Handlers>;
