import type { PricingCalculatorFormulaUpdate } from "@partnerwire/contract/pricing";
import { asc } from "drizzle-orm";
import type { Handlers } from "../execute/handlers.ts";
import { createParts } from "../resource/create-parts.ts";
import type { Invalid, References } from "../resource/references.ts";
import {
	type CalculatorParts,
	selectFormulas,
	toFormula,
} from "./calculator-view.ts";
import { calculators } from "./calculators.ts";
import { partsOf } from "./fields.ts";
import { nextSortOrder } from "./next-sort-order.ts";
import { findInvalid } from "./variables.ts";

const ELSEWHERE = "is no product of this calculator";

type Formula = PricingCalculatorFormulaUpdate;

const placesOf = ({ selected_sources }: Formula) =>
	(selected_sources ?? []).map(
		(source) => source.pricing_calculator_product_uuid,
	);
const targetOf = ({ formula_config }: Formula) =>
	formula_config?.presentation?.target_product_uuid;

/**
 * Throws a 400 for conditions that cannot be parsed, for variables and products that the calculator does not have, and
 * for a target that is not a product of the account either. References that the formula has already are allowed
 * (docs/decisions.md#a-formula-s-target-product-uuid).
 */
async function check(
	body: Formula,
	before: Formula,
	parts: CalculatorParts,
	references: References,
): Promise<void> {
	const invalid: Invalid[] = findInvalid(body, parts);
	const { calculation_type, percentage_base, selected_sources } = {
		...before,
		...body,
	};
	if (
		calculation_type === "percentage" &&
		percentage_base === "selected_sources" &&
		!selected_sources?.length
	)
		invalid.push({
			field: "body/selected_sources",
			message: "is required where the base is selected_sources",
		});
	const { selected_product_uuid: selected } = body;
	const places = parts.products.map(({ uuid }) => uuid);
	const products = [
		...places,
		...parts.products.map(({ product }) => product.uuid),
	];
	if (
		typeof selected === "string" &&
		selected !== before.selected_product_uuid &&
		!products.includes(selected)
	)
		invalid.push({ field: "body/selected_product_uuid", message: ELSEWHERE });
	places.push(...placesOf(before));
	for (const [index, uuid] of placesOf(body).entries())
		if (!places.includes(uuid))
			invalid.push({
				field: `body/selected_sources/${index}/pricing_calculator_product_uuid`,
				message: ELSEWHERE,
			});
	const target = targetOf(body) ?? null;
	if (target !== targetOf(before) && !products.includes(target ?? ""))
		await references.find(
			"product",
			"formula_config/presentation/target_product_uuid",
			target,
		);
	references.refuseInvalid(invalid);
}

const formulas = createParts({
	table: "calculatorFormula",
	entity: "pricing_calculator_formula",
	noun: "formula",
	parents: calculators,
	column: "calculatorUuid",
	select: selectFormulas,
	order: ({ tables }) => asc(tables.calculatorFormula.sortOrder),
	toShown: toFormula,
	defaults: { percentageBase: "subtotal", selectedSources: [] },
	toColumns: async (
		body: PricingCalculatorFormulaUpdate,
		references,
		{ context, parentUuid, viewed },
	) => {
		const parts = await partsOf(parentUuid, context);
		await check(body, viewed ? toFormula(viewed) : {}, parts, references);
		return {
			name: body.name,
			condition: body.condition,
			formulaType: body.formula_type,
			calculationType: body.calculation_type,
			value: body.value,
			billingType: body.billing_type,
			percentageBase: body.percentage_base,
			selectedProductUuid: body.selected_product_uuid,
			selectedSources: body.selected_sources,
			sortOrder:
				body.sort_order ?? (viewed ? undefined : nextSortOrder(parts.formulas)),
			formulaConfig: body.formula_config,
		};
	},
}).handlers;

/** The operations on the formulas of a pricing calculator. */
export const calculatorFormulaHandlers = {
	listPricingCalculatorFormulas: formulas.list,
	createPricingCalculatorFormula: formulas.create,
	updatePricingCalculatorFormula: formulas.update,
	deletePricingCalculatorFormula: formulas.remove,
} satisfies Partial<Handlers>;
