import { calendarDate } from "@partnerwire/contract";
import { invalid, type ParseInner } from "./parsed.ts";

const isFiniteNumber = (given: unknown): given is number =>
	typeof given === "number" &&
	Number.isFinite(given) &&
	(!Number.isInteger(given) || Number.isSafeInteger(given));

/** A finite number; -0 is 0. */
export const parseNumber: ParseInner = (given) =>
	isFiniteNumber(given)
		? { value: given === 0 ? 0 : given }
		: invalid("must be a finite number, an integer within ±(2^53 − 1)");

const DATE = calendarDate();

export const parseDate: ParseInner = (given) => {
	const { data } = DATE.safeParse(given);
	return data === undefined
		? invalid("must be a date that exists, YYYY-MM-DD")
		: { value: data };
};

export const parseBoolean: ParseInner = (given) =>
	typeof given === "boolean"
		? { value: given }
		: invalid("must be true or false");
