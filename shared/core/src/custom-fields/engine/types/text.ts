import { invalid, type ParseInner } from "./parsed.ts";
import { refusalOfText } from "./to-text.ts";

/** Parses text of a limited number of code points, and keeps it unchanged. */
export const parseText =
	(maxLength: number): ParseInner =>
	(submitted) => {
		const refusal = refusalOfText(submitted, maxLength);
		return refusal
			? invalid(refusal)
			: { value: { text: submitted as string } };
	};
