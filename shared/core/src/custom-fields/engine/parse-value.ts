import type { CustomFieldType } from "@partnerwire/contract";
import type { Field, FieldSet } from "./model.ts";
import { parseMultiSelect, parseSelect } from "./types/choice.ts";
import { parseEmail } from "./types/email.ts";
import { invalid, type Parsed, type ParseInner } from "./types/parsed.ts";
import { parsePhone } from "./types/phone.ts";
import { parseBoolean, parseDate, parseNumber } from "./types/plain.ts";
import { parseText } from "./types/text.ts";
import { parseWebsite } from "./types/website.ts";

interface ValueType {
	/** The members under which a value may be written. The first one present counts. */
	readonly members: readonly string[];
	/** Whether it is returned without that member, and may be written without it. */
	readonly bare: boolean;
	readonly parse: ParseInner;
}

const textual = (parse: ParseInner, ...others: string[]): ValueType => ({
	members: ["text", ...others],
	bare: false,
	parse,
});
const bare = (member: string, parse: ParseInner): ValueType => ({
	members: [member],
	bare: true,
	parse,
});

/** The notation of the values of each type (docs/custom-fields.md#values-and-their-types). */
const TYPES: Readonly<Record<CustomFieldType, ValueType>> = {
	text: textual(parseText(1000)),
	textarea: textual(parseText(50_000), "textarea"),
	email: textual(parseEmail),
	website: textual(parseWebsite),
	phone: textual(parsePhone),
	number: bare("number", parseNumber),
	date: bare("date", parseDate),
	boolean: bare("boolean", parseBoolean),
	checkbox: bare("boolean", parseBoolean),
	select: bare("select", parseSelect),
	multi_select: bare("multi_select", parseMultiSelect),
};

const isBlank = (submitted: unknown): boolean =>
	submitted === null ||
	(typeof submitted === "string" && submitted.trim() === "") ||
	(Array.isArray(submitted) && submitted.length === 0);

const BLANK: Parsed = { value: null };

/** Parses a submitted value of a field to its canonical form, or tells why it is invalid. Pure. */
export function parseValue(
	submitted: unknown,
	field: Pick<Field, "type" | "options">,
	set: Pick<FieldSet, "country">,
): Parsed {
	if (isBlank(submitted)) return BLANK;
	const { members, bare, parse } = TYPES[field.type];
	const isObject =
		typeof submitted === "object" &&
		submitted !== null &&
		!Array.isArray(submitted);
	if (!isObject)
		return bare ? parse(submitted, field, set) : invalid(wantedOf(members));
	const member = members.find((name) => Object.hasOwn(submitted, name));
	if (member === undefined) return invalid(wantedOf(members));
	const inner = (submitted as Record<string, unknown>)[member];
	return isBlank(inner) ? BLANK : parse(inner, field, set);
}

const wantedOf = ([member]: readonly string[]) =>
	`must be written as {"${member}": …}`;
