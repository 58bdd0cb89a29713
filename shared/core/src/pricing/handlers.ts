import { calculatorHandlers } from "./calculators.ts";
import { calculatorFieldHandlers } from "./fields.ts";
import { calculatorFormulaHandlers } from "./formulas.ts";
import { calculatorProductHandlers } from "./products.ts";

/** The operations on pricing calculators and their fields, products and formulas. */
export const pricingCalculatorHandlers = {
	...calculatorHandlers,
	...calculatorFieldHandlers,
	...calculatorProductHandlers,
	...calculatorFormulaHandlers,
};
