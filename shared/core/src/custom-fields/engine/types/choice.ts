import { invalid, type Parsed, type ParseInner } from "./parsed.ts";

const missing = (id: number): Parsed => ({
	reason: "invalid_option",
	message: `has no option ${id}`,
});

/** The id of one of the field's options. */
export const parseSelect: ParseInner = (given, { options }) => {
	if (!Number.isSafeInteger(given)) return invalid("must be an option's id");
	return options.has(given as number)
		? { value: given as number }
		: missing(given as number);
};

/** Ids of the field's options, each once, in the order given. */
export const parseMultiSelect: ParseInner = (given, { options }) => {
	if (!Array.isArray(given) || !given.every(Number.isSafeInteger))
		return invalid("must be an array of options' ids");
	const ids = [...new Set(given as number[])];
	const unknown = ids.find((id) => !options.has(id));
	return unknown === undefined ? { value: ids } : missing(unknown);
};
