import { calculatorHandlers } from "./calculators.ts";
import { calculatorFieldHandlers } from "./fields.ts";
import { calculatorFormulaHandlers } from "./formulas.ts";
import { calculatorProductHandlers } from "./products.ts";

/** Pricing calculators and what they are made of. */
export const pricingCalculatorHandlers = {
	...calculatorHandlers,
	...calculatorFieldHandlers,
	...calculatorProductHandlers,
	...calculatorFormulaHandlers,
};
