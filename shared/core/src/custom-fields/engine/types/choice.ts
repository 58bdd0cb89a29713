import { invalid, type Parsed, type ParseInner } from "./parsed.ts";

const missing = (id: number): Parsed => ({
	reason: "invalid_option",
	message: `has no option ${id}`,
});

/** Parses the id of one of the field's options. */
export const parseSelect: ParseInner = (submitted, { options }) => {
	if (!Number.isSafeInteger(submitted))
		return invalid("must be an option's id");
	return options.has(submitted as number)
		? { value: submitted as number }
		: missing(submitted as number);
};

/** Parses ids of the field's options. Each is kept once, in the submitted order. */
export const parseMultiSelect: ParseInner = (submitted, { options }) => {
	if (!Array.isArray(submitted) || !submitted.every(Number.isSafeInteger))
		return invalid("must be an array of options' ids");
	const ids = [...new Set(submitted as number[])];
	const unknown = ids.find((id) => !options.has(id));
	return unknown === undefined ? { value: ids } : missing(unknown);
};
