import { Column, is, Param, Placeholder } from "drizzle-orm";
import type { Values } from "./db.ts";

type Convert = (value: unknown) => unknown;

/** Returns the function that puts named values into a statement's parameters, each converted by its column. */
export function toFill(params: readonly unknown[], defaults: Values) {
	const sources = params.map((param) => {
		const placeholder = is(param, Param) ? param.value : param;
		if (!is(placeholder, Placeholder))
			throw new TypeError("a constant was left in the statement");
		const { name } = placeholder;
		return { name, encode: toEncoder(param), otherwise: defaults[name] };
	});
	return (values: Values): unknown[] =>
		sources.map(({ name, encode, otherwise }) => {
			const passed = values[name];
			const value = passed === undefined ? otherwise : passed;
			if (value === undefined)
				throw new TypeError(`the query needs a value for ${name}`);
			return encode && value !== null ? encode(value) : value;
		});
}

/** The conversion of a parameter's column; null if the value is bound unchanged. */
function toEncoder(param: unknown): Convert | null {
	if (!is(param, Param)) return null;
	const { encoder } = param;
	const isUnchanged =
		encoder instanceof Column &&
		encoder.mapToDriverValue === Column.prototype.mapToDriverValue;
	return isUnchanged ? null : (value) => encoder.mapToDriverValue(value);
}
