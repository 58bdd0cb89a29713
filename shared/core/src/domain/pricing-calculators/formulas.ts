import { invalidMembers } from "@partnerwire/contract";
import type {
	PricingCalculatorFormulaCreate,
	PricingCalculatorFormulaUpdate,
} from "@partnerwire/contract/pricing";
import { asc } from "drizzle-orm";
import type { RowOf } from "../../db/insert-row.ts";
import type { Handlers } from "../../execute/handlers.ts";
import { createParts } from "../create-parts.ts";
import {
	type CalculatorParts,
	selectFormulas,
	toFormula,
} from "./calculator-view.ts";
import { calculators } from "./calculators.ts";
import { partsOf } from "./fields.ts";
import { nextSortOrder } from "./next-sort-order.ts";
import { findInvalid, type Invalid } from "./variables.ts";

const ELSEWHERE = "is no product of this calculator";

/** Refuses conditions that cannot be read, and variables and products that the calculator does not have. */
function check(
	body: PricingCalculatorFormulaUpdate,
	before: PricingCalculatorFormulaUpdate,
	parts: CalculatorParts,
): void {
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
	const { selected_product_uuid: selected, selected_sources: sources } = body;
	const isOn = (uuid: string) =>
		parts.products.some(
			(item) => item.uuid === uuid || item.product.uuid === uuid,
		);
	if (typeof selected === "string" && !isOn(selected))
		invalid.push({ field: "body/selected_product_uuid", message: ELSEWHERE });
	for (const [index, source] of sources?.entries() ?? []) {
		const { pricing_calculator_product_uuid: uuid } = source;
		if (!parts.products.some((item) => item.uuid === uuid))
			invalid.push({
				field: `body/selected_sources/${index}/pricing_calculator_product_uuid`,
				message: ELSEWHERE,
			});
	}
	if (invalid.length > 0) throw invalidMembers(invalid);
}

const toColumns = (
	body: PricingCalculatorFormulaUpdate,
): Partial<RowOf<"calculatorFormula">> => ({
	name: body.name,
	condition: body.condition,
	formulaType: body.formula_type,
	calculationType: body.calculation_type,
	value: body.value,
	billingType: body.billing_type,
	percentageBase: body.percentage_base,
	selectedProductUuid: body.selected_product_uuid,
	selectedSources: body.selected_sources,
	sortOrder: body.sort_order,
	formulaConfig: body.formula_config,
});

const formulas = createParts({
	table: "calculatorFormula",
	entity: "pricing_calculator_formula",
	noun: "formula",
	parents: calculators,
	column: "calculatorUuid",
	select: selectFormulas,
	order: ({ tables }) => asc(tables.calculatorFormula.sortOrder),
	toShown: toFormula,
	toCreated: async (
		body: PricingCalculatorFormulaCreate,
		_,
		{ uuid, context },
	) => {
		const parts = await partsOf(uuid, context);
		check(body, {}, parts);
		return {
			...toColumns(body),
			percentageBase: body.percentage_base ?? "subtotal",
			selectedSources: body.selected_sources ?? [],
			sortOrder: body.sort_order ?? nextSortOrder(parts.formulas),
		};
	},
	toChanged: async (
		body: PricingCalculatorFormulaUpdate,
		_,
		{ params, context },
	) => {
		const parts = await partsOf(params.uuid, context);
		const before = parts.formulas.find(({ uuid }) => uuid === params.subUuid);
		check(body, before ?? {}, parts);
		return toColumns(body);
	},
});

export const calculatorFormulaHandlers = {
	listPricingCalculatorFormulas: formulas.list,
	createPricingCalculatorFormula: formulas.create,
	updatePricingCalculatorFormula: formulas.update,
	deletePricingCalculatorFormula: formulas.remove,
} satisfies Partial<Handlers>;
