import type { BillingPeriod } from "@partnerwire/contract";
import type {
	PricingCalculator,
	PricingCalculatorFormula,
	PricingCalculatorProduct,
} from "@partnerwire/contract/pricing";
import fc from "fast-check";

const TIMES = { created_at: "", updated_at: "" };
const uuidOf = (kind: string, index: number) => `${kind}-${index}`;
const money = fc
	.integer({ min: 0, max: 1_000_000 })
	.map((cents) => cents / 100);
export const anyPeriod = fc.constantFrom<BillingPeriod>(
	"monthly",
	"quarterly",
	"yearly",
);
const bucket = fc.constantFrom("one_time" as const, "recurring" as const);

const product = fc
	.record({
		price: fc.oneof(money, fc.constantFrom(0.005, 1.005, 99.995)),
		quantity: fc.oneof(fc.integer({ min: 0, max: 50 }), fc.constant(1.5)),
		billing_type: bucket,
		billing_period: anyPeriod,
	})
	.map(({ price, quantity, ...billing }) => ({ price, quantity, billing }));

const formula = fc.record({
	formula_type: fc.constantFrom("discount", "surcharge", "tax"),
	calculation_type: fc.constantFrom("fixed", "percentage"),
	value: fc.oneof(money, fc.constantFrom(7.5, 33.333, 100, 250)),
	billing_type: fc.option(bucket),
	percentage_base: fc.constantFrom(
		"subtotal",
		"subtotal_after_discounts",
		"selected_sources",
	),
	selected_product_uuid: fc.option(fc.constant(uuidOf("item", 0))),
}) as fc.Arbitrary<Partial<PricingCalculatorFormula>>;

/** A calculator with any products, formulas, option and discount, in a currency of 0, 2 or 3 digits. */
export const anyCalculator = fc
	.record({
		products: fc.array(product, { maxLength: 4 }),
		formulas: fc.array(formula, { maxLength: 5 }),
		modifier: fc.integer({ min: -100_000, max: 100_000 }),
		discount: fc.integer({ min: 0, max: 100 }),
		code: fc.constantFrom("EUR", "JPY", "KWD"),
	})
	.map(
		({ products, formulas, modifier, discount, code }): PricingCalculator => ({
			uuid: "calculator",
			name: "Any",
			description: null,
			status: "live",
			submission_mode: "disabled",
			display_settings: {
				showProductBreakdown: true,
				showDiscounts: true,
				showRecurringTotal: true,
				submitButtonText: null,
				successMessage: null,
				billingMode: "multiple",
				billingPeriods: ["monthly", "quarterly", "yearly"],
				defaultBillingPeriod: "monthly",
				periodDiscounts: { yearly: discount },
			},
			partner_type_referral: true,
			partner_type_reseller: true,
			partner_type_distributor: true,
			available_on_leads: true,
			required_on_leads: false,
			available_on_deals: true,
			required_on_deals: false,
			currency: { uuid: "currency", code, label: code },
			fields_count: 1,
			products_count: products.length,
			archived_at: null,
			...TIMES,
			fields: [
				{
					id: 1,
					uuid: "field",
					label: "Plan",
					field_type: "dropdown",
					variable_name: "plan",
					required: false,
					sort_order: 1,
					field_config: {
						options: [
							{ value: "x", label: "X", priceModifier: modifier / 100 },
						],
					},
					...TIMES,
				},
			],
			products: products.map(
				({ price, quantity, billing }, index): PricingCalculatorProduct => ({
					uuid: uuidOf("item", index),
					sort_order: index,
					quantity_type: "fixed",
					quantity_fixed: quantity,
					quantity_variable_name: null,
					quantity_condition: null,
					quantity_if_true: null,
					quantity_if_false: null,
					price_override: null,
					is_optional: false,
					is_included_by_default: true,
					quantity_editable: false,
					anchor_field_id: null,
					product: {
						uuid: uuidOf("product", index),
						name: "Any",
						sku: null,
						price,
						currency_code: null,
						...billing,
					},
					...TIMES,
				}),
			),
			formulas: formulas.map((given, index) => ({
				uuid: uuidOf("formula", index),
				name: "Any",
				condition: null,
				selected_sources: [
					{
						kind: "product",
						pricing_calculator_product_uuid: uuidOf("item", 0),
					},
				],
				sort_order: index,
				formula_config: null,
				...TIMES,
				...(given as Pick<
					PricingCalculatorFormula,
					| "formula_type"
					| "calculation_type"
					| "value"
					| "billing_type"
					| "percentage_base"
					| "selected_product_uuid"
				>),
			})),
		}),
	);
