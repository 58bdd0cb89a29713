import { createRequire } from "node:module";
import type { CountryCode } from "libphonenumber-js/min";
import { invalid, type ParseInner } from "./parsed.ts";
import { refusalOfText } from "./to-text.ts";

type Library = typeof import("libphonenumber-js/min");

/** Loaded with the first number: a twelfth of the time that a service takes to start, and few companies have such fields. */
const load = createRequire(import.meta.url);
const toLibrary = () => load("libphonenumber-js/min") as Library;

/** Longer is no phone number, however it is spelled. */
const MAX_LENGTH = 64;

/** A possible phone number in E.164 form (spec, Custom field value rules). An extension has no place in that form. */
export const parsePhone: ParseInner = (given, _, { country }) => {
	const refusal = refusalOfText(given, MAX_LENGTH);
	if (refusal) return invalid(refusal);
	const number = toLibrary().parsePhoneNumberFromString(
		(given as string).trim(),
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
