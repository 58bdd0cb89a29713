/** Pricing calculators and commissions: the subpath `@partnerwire/contract/pricing`. */
export {
	Commission,
	type CommissionCalc,
	CommissionCalculation,
	CommissionCreate,
	type CommissionEntry,
	CommissionOption,
	CommissionUpdate,
	DealCommission,
	paymentsOf,
	RecurringPeriod,
	type ScalingConfig,
} from "./resources/pricing/commission.ts";
export {
	DisplaySettings,
	PricingCalculator,
	PricingCalculatorCreate,
	PricingCalculatorUpdate,
	SubmissionMode,
} from "./resources/pricing/pricing-calculator.ts";
export {
	CalculatorFieldType,
	FieldConfig,
	PricingCalculatorField,
	PricingCalculatorFieldCreate,
	PricingCalculatorFieldUpdate,
} from "./resources/pricing/pricing-calculator-field.ts";
export {
	CalculationType,
	COMPARISON_OPERATORS,
	type ComparisonOperator,
	FormulaConfig,
	FormulaType,
	PercentageBase,
	PricingCalculatorFormula,
	PricingCalculatorFormulaCreate,
	PricingCalculatorFormulaUpdate,
} from "./resources/pricing/pricing-calculator-formula.ts";
export {
	PricingCalculatorProduct,
	PricingCalculatorProductCreate,
	PricingCalculatorProductUpdate,
	QuantityType,
} from "./resources/pricing/pricing-calculator-product.ts";
export {
	PricingEvaluate,
	PricingEvaluation,
	type PricingValue,
} from "./resources/pricing/pricing-evaluation.ts";
