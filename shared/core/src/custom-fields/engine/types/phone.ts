import { createRequire } from "node:module";
import type { CountryCode } from "libphonenumber-js/min";
import { invalid, type ParseInner } from "./parsed.ts";
import { refusalOfText } from "./to-text.ts";

type Library = typeof import("libphonenumber-js/min");

/** Loaded with the first number: loading takes 1/12 of the service's start, and few companies have such fields. */
const load = createRequire(import.meta.url);
const toLibrary = () => load("libphonenumber-js/min") as Library;

/** No phone number is longer than this, in any notation. */
const MAX_LENGTH = 64;

/** Parses a possible phone number to E.164 (docs/contract.md#custom-field-values), which allows no extension. */
export const parsePhone: ParseInner = (submitted, _, { country }) => {
	const refusal = refusalOfText(submitted, MAX_LENGTH);
	if (refusal) return invalid(refusal);
	const number = toLibrary().parsePhoneNumberFromString(
		(submitted as string).trim(),
		{
			extract: false,
			...(country && { defaultCountry: country as CountryCode }),
		},
	);
	if (!number?.isPossible())
		return invalid(
			country
				? "must be a phone number"
				: "must be a phone number that begins with + and its country code",
		);
	if (number.ext) return invalid("must be a phone number without an extension");
	return { value: { text: number.number } };
};
