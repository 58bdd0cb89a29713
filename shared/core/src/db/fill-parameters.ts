import { Column, is, Param, Placeholder } from "drizzle-orm";
import type { Values } from "./db.ts";

type Convert = (value: unknown) => unknown;

/** A statement's parameters: named values, each with the conversion of its column. */
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
			const given = values[name];
			const value = given === undefined ? otherwise : given;
			if (value === undefined)
				throw new TypeError(`the query needs a value for ${name}`);
			return encode && value !== null ? encode(value) : value;
		});
}

/** Null for values that are bound as they are. */
function toEncoder(param: unknown): Convert | null {
	if (!is(param, Param)) return null;
	const { encoder } = param;
	const isAsGiven =
		encoder instanceof Column &&
		encoder.mapToDriverValue === Column.prototype.mapToDriverValue;
	return isAsGiven ? null : (value) => encoder.mapToDriverValue(value);
}
