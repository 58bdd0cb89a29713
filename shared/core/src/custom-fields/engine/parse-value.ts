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
	/** The members under which a value is written, the first that is there counts. */
	readonly members: readonly string[];
	/** Whether it is returned without that member, and so written without it too. */
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

/** How values of each type are written (decisions §5). */
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

const isBlank = (given: unknown): boolean =>
	given === null ||
	(typeof given === "string" && given.trim() === "") ||
	(Array.isArray(given) && given.length === 0);

const BLANK: Parsed = { value: null };

/** A submitted value of a field in its canonical form, or why it has none. Pure. */
export function parseValue(
	given: unknown,
	field: Pick<Field, "type" | "options">,
	set: Pick<FieldSet, "country">,
): Parsed {
	if (isBlank(given)) return BLANK;
	const { members, bare, parse } = TYPES[field.type];
	const isObject =
		typeof given === "object" && given !== null && !Array.isArray(given);
	if (!isObject)
		return bare ? parse(given, field, set) : invalid(wantedOf(members));
	const member = members.find((name) => Object.hasOwn(given, name));
	if (member === undefined) return invalid(wantedOf(members));
	const inner = (given as Record<string, unknown>)[member];
	return isBlank(inner) ? BLANK : parse(inner, field, set);
}

const wantedOf = ([member]: readonly string[]) =>
	`must be written as {"${member}": …}`;
