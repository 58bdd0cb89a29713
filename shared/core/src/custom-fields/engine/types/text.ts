import { invalid, type ParseInner } from "./parsed.ts";
import { refusalOfText } from "./to-text.ts";

/** Text as it was written, up to a number of code points. */
export const parseText =
	(maxLength: number): ParseInner =>
	(given) => {
		const refusal = refusalOfText(given, maxLength);
		return refusal ? invalid(refusal) : { value: { text: given as string } };
	};
