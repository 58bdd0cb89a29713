import {
	CalculationType,
	CalculatorFieldType,
	type DisplaySettings,
	type FieldConfig,
	type FormulaConfig,
	FormulaType,
	PercentageBase,
	type PricingCalculatorFormula,
	QuantityType,
	SubmissionMode,
} from "@partnerwire/contract/pricing";
import type { ColumnKit } from "../kit.sqlite.ts";
import type { AccessTables } from "./access.ts";
import type { ConfigurationTables } from "./configuration.ts";
import { BILLING_TYPES, type SalesTables } from "./sales.ts";

const CALCULATOR_STATUSES = ["draft", "live"] as const;

/** Pricing calculators, and their fields, products and formulas. */
export function definePricingTables(
	kit: ColumnKit,
	{
		company,
		currency,
		product,
	}: AccessTables & ConfigurationTables & SalesTables,
) {
	const owned = () => ({
		companyUuid: kit
			.uuid("company_uuid")
			.notNull()
			.references(() => company.uuid),
		createdAt: kit.time("created_at").notNull(),
		updatedAt: kit.time("updated_at").notNull(),
	});

	const pricingCalculator = kit.table(
		"pricing_calculator",
		{
			uuid: kit.uuid("uuid").primaryKey(),
			...owned(),
			archivedAt: kit.time("archived_at"),
			name: kit.text("name").notNull(),
			description: kit.text("description"),
			status: kit.oneOf("status", CALCULATOR_STATUSES).notNull(),
			submissionMode: kit
				.oneOf("submission_mode", SubmissionMode.options as [SubmissionMode])
				.notNull(),
			displaySettings: kit.json<DisplaySettings>("display_settings").notNull(),
			partnerTypeReferral: kit.bool("partner_type_referral").notNull(),
			partnerTypeReseller: kit.bool("partner_type_reseller").notNull(),
			partnerTypeDistributor: kit.bool("partner_type_distributor").notNull(),
			availableOnLeads: kit.bool("available_on_leads").notNull(),
			requiredOnLeads: kit.bool("required_on_leads").notNull(),
			availableOnDeals: kit.bool("available_on_deals").notNull(),
			requiredOnDeals: kit.bool("required_on_deals").notNull(),
			currencyId: kit.int("currency_id").references(() => currency.id),
		},
		(t) => [
			kit.index("pricing_calculator_list").on(t.companyUuid, t.createdAt),
		],
	);

	const calculatorUuid = () =>
		kit
			.uuid("calculator_uuid")
			.notNull()
			.references(() => pricingCalculator.uuid);

	const calculatorField = kit.table(
		"pricing_calculator_field",
		{
			id: kit.id(),
			uuid: kit.uuid("uuid").notNull(),
			...owned(),
			calculatorUuid: calculatorUuid(),
			label: kit.text("label").notNull(),
			fieldType: kit
				.oneOf(
					"field_type",
					CalculatorFieldType.options as [CalculatorFieldType],
				)
				.notNull(),
			variableName: kit.text("variable_name").notNull(),
			/** The name with its case folded: unique within the calculator. */
			variableKey: kit.text("variable_key").notNull(),
			required: kit.bool("required").notNull(),
			sortOrder: kit.int("sort_order").notNull(),
			fieldConfig: kit.json<FieldConfig>("field_config").notNull(),
		},
		(t) => [
			kit.uniqueIndex("pricing_calculator_field_uuid").on(t.uuid),
			kit
				.uniqueIndex("pricing_calculator_field_variable")
				.on(t.calculatorUuid, t.variableKey),
		],
	);

	const calculatorProduct = kit.table(
		"pricing_calculator_product",
		{
			uuid: kit.uuid("uuid").primaryKey(),
			...owned(),
			calculatorUuid: calculatorUuid(),
			productUuid: kit
				.uuid("product_uuid")
				.notNull()
				.references(() => product.uuid),
			sortOrder: kit.int("sort_order").notNull(),
			quantityType: kit
				.oneOf("quantity_type", QuantityType.options as [QuantityType])
				.notNull(),
			quantityFixed: kit.number("quantity_fixed"),
			quantityVariableName: kit.text("quantity_variable_name"),
			quantityCondition: kit.text("quantity_condition"),
			quantityIfTrue: kit.number("quantity_if_true"),
			quantityIfFalse: kit.number("quantity_if_false"),
			priceOverride: kit.number("price_override"),
			isOptional: kit.bool("is_optional").notNull(),
			isIncludedByDefault: kit.bool("is_included_by_default").notNull(),
			quantityEditable: kit.bool("quantity_editable").notNull(),
			anchorFieldId: kit
				.int("anchor_field_id")
				.references(() => calculatorField.id),
		},
		(t) => [
			kit
				.index("pricing_calculator_product_list")
				.on(t.calculatorUuid, t.sortOrder),
		],
	);

	const calculatorFormula = kit.table(
		"pricing_calculator_formula",
		{
			uuid: kit.uuid("uuid").primaryKey(),
			...owned(),
			calculatorUuid: calculatorUuid(),
			name: kit.text("name").notNull(),
			condition: kit.text("condition"),
			formulaType: kit
				.oneOf("formula_type", FormulaType.options as [FormulaType])
				.notNull(),
			calculationType: kit
				.oneOf("calculation_type", CalculationType.options as [CalculationType])
				.notNull(),
			value: kit.number("value").notNull(),
			billingType: kit.oneOf("billing_type", BILLING_TYPES),
			percentageBase: kit
				.oneOf("percentage_base", PercentageBase.options as [PercentageBase])
				.notNull(),
			selectedProductUuid: kit.uuid("selected_product_uuid"),
			selectedSources: kit
				.json<PricingCalculatorFormula["selected_sources"]>("selected_sources")
				.notNull(),
			sortOrder: kit.int("sort_order").notNull(),
			formulaConfig: kit.json<FormulaConfig>("formula_config"),
		},
		(t) => [
			kit
				.index("pricing_calculator_formula_list")
				.on(t.calculatorUuid, t.sortOrder),
		],
	);

	return {
		pricingCalculator,
		calculatorField,
		calculatorProduct,
		calculatorFormula,
	};
}
