import type { ProductRef } from "@partnerwire/contract";
import type {
	PricingCalculator,
	PricingCalculatorField,
	PricingCalculatorFormula,
	PricingCalculatorProduct,
} from "@partnerwire/contract/pricing";
import { type AnyColumn, asc, eq, inArray } from "drizzle-orm";
import type { Db } from "../db/db.ts";
import type { RowOf } from "../db/insert-row.ts";
import { shownProduct } from "../products/product-ref.ts";
import type { LoadAttached } from "../resource/record-links.ts";
import { selectRows } from "../resource/resource-kind.ts";
import { toCurrencyRef } from "../resource/to-ref.ts";
import { toIsoOrNull, toTimes } from "../values/times.ts";

/** The fields, products and formulas of a calculator. */
export interface CalculatorParts {
	readonly fields: PricingCalculatorField[];
	readonly products: PricingCalculatorProduct[];
	readonly formulas: PricingCalculatorFormula[];
}

export const selectCalculators = ({
	query,
	tables: { pricingCalculator, currency },
}: Db) =>
	query
		.select({ row: pricingCalculator, currency: toCurrencyRef(currency) })
		.from(pricingCalculator)
		.leftJoin(currency, eq(currency.id, pricingCalculator.currencyId))
		.$dynamic();

export type CalculatorRow = Awaited<
	ReturnType<typeof selectCalculators>
>[number];

export const selectFields = selectRows("calculatorField");
export const selectFormulas = selectRows("calculatorFormula");

/** Selects the products of calculators, including those archived after they were added. */
export const selectProducts = ({
	query,
	tables: { calculatorProduct, product, currency },
}: Db) =>
	query
		.select({
			row: calculatorProduct,
			product: shownProduct({ product, currency }),
		})
		.from(calculatorProduct)
		.innerJoin(product, eq(product.uuid, calculatorProduct.productUuid))
		.leftJoin(currency, eq(currency.id, product.currencyId))
		.$dynamic();

export const toField = ({
	row,
}: {
	row: RowOf<"calculatorField">;
}): PricingCalculatorField => ({
	id: row.id,
	uuid: row.uuid,
	label: row.label,
	field_type: row.fieldType,
	variable_name: row.variableName,
	required: row.required,
	sort_order: row.sortOrder,
	field_config: row.fieldConfig,
	...toTimes(row),
});

export const toCalculatorProduct = ({
	row,
	product,
}: {
	row: RowOf<"calculatorProduct">;
	product: ProductRef;
}): PricingCalculatorProduct => ({
	uuid: row.uuid,
	sort_order: row.sortOrder,
	quantity_type: row.quantityType,
	quantity_fixed: row.quantityFixed,
	quantity_variable_name: row.quantityVariableName,
	quantity_condition: row.quantityCondition,
	quantity_if_true: row.quantityIfTrue,
	quantity_if_false: row.quantityIfFalse,
	price_override: row.priceOverride,
	is_optional: row.isOptional,
	is_included_by_default: row.isIncludedByDefault,
	quantity_editable: row.quantityEditable,
	anchor_field_id: row.anchorFieldId,
	product,
	...toTimes(row),
});

export const toFormula = ({
	row,
}: {
	row: RowOf<"calculatorFormula">;
}): PricingCalculatorFormula => ({
	uuid: row.uuid,
	name: row.name,
	condition: row.condition,
	formula_type: row.formulaType,
	calculation_type: row.calculationType,
	value: row.value,
	billing_type: row.billingType,
	percentage_base: row.percentageBase,
	selected_product_uuid: row.selectedProductUuid,
	selected_sources: row.selectedSources,
	sort_order: row.sortOrder,
	formula_config: row.formulaConfig,
	...toTimes(row),
});

/** Loads the parts of calculators, in their order. */
export const loadParts: LoadAttached<CalculatorParts> = async (
	db,
	calculatorUuids,
) => {
	const uuids = [...calculatorUuids];
	const { calculatorField, calculatorProduct, calculatorFormula } = db.tables;
	const orderOf = ({
		sortOrder,
		createdAt,
		uuid,
	}: Record<"sortOrder" | "createdAt" | "uuid", AnyColumn>) => [
		asc(sortOrder),
		asc(createdAt),
		asc(uuid),
	];
	if (uuids.length === 0)
		return () => ({ fields: [], products: [], formulas: [] });
	const fields = await selectFields(db)
		.where(inArray(calculatorField.calculatorUuid, uuids))
		.orderBy(asc(calculatorField.sortOrder), asc(calculatorField.id));
	const products = await selectProducts(db)
		.where(inArray(calculatorProduct.calculatorUuid, uuids))
		.orderBy(...orderOf(calculatorProduct));
	const formulas = await selectFormulas(db)
		.where(inArray(calculatorFormula.calculatorUuid, uuids))
		.orderBy(...orderOf(calculatorFormula));
	return (uuid) => {
		const isOwn = ({ row }: { row: { calculatorUuid: string } }) =>
			row.calculatorUuid === uuid;
		return {
			fields: fields.filter(isOwn).map(toField),
			products: products.filter(isOwn).map(toCalculatorProduct),
			formulas: formulas.filter(isOwn).map(toFormula),
		};
	};
};

export const toCalculator = (
	{ row, currency }: CalculatorRow,
	{ fields, products, formulas }: CalculatorParts,
): PricingCalculator => ({
	uuid: row.uuid,
	name: row.name,
	description: row.description,
	status: row.archivedAt === null ? row.status : "archived",
	submission_mode: row.submissionMode,
	display_settings: row.displaySettings,
	partner_type_referral: row.partnerTypeReferral,
	partner_type_reseller: row.partnerTypeReseller,
	partner_type_distributor: row.partnerTypeDistributor,
	available_on_leads: row.availableOnLeads,
	required_on_leads: row.requiredOnLeads,
	available_on_deals: row.availableOnDeals,
	required_on_deals: row.requiredOnDeals,
	currency,
	fields_count: fields.length,
	products_count: products.length,
	archived_at: toIsoOrNull(row.archivedAt),
	...toTimes(row),
	fields,
	products,
	formulas,
});
