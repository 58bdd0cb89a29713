import { calendarDate } from "@partnerwire/contract";
import { invalid, type ParseInner } from "./parsed.ts";

const isFiniteNumber = (submitted: unknown): submitted is number =>
	typeof submitted === "number" &&
	Number.isFinite(submitted) &&
	(!Number.isInteger(submitted) || Number.isSafeInteger(submitted));

/** Parses a finite number. -0 becomes 0. */
export const parseNumber: ParseInner = (submitted) =>
	isFiniteNumber(submitted)
		? { value: submitted === 0 ? 0 : submitted }
		: invalid("must be a finite number, an integer within ±(2^53 − 1)");

const DATE = calendarDate();

export const parseDate: ParseInner = (submitted) => {
	const { data } = DATE.safeParse(submitted);
	return data === undefined
		? invalid("must be a date that exists, YYYY-MM-DD")
		: { value: data };
};

export const parseBoolean: ParseInner = (submitted) =>
	typeof submitted === "boolean"
		? { value: submitted }
		: invalid("must be true or false");
