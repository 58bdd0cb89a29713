import { parseUrl } from "@partnerwire/wire";
import * as z from "zod";

const LONE_SURROGATE =
	/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

const codePoints = (value: string): number => {
	let count = 0;
	for (const _ of value) count++;
	return count;
};

/** Makes each schema once for all fields that have it: schemas never change, and hundreds of fields are texts. */
function byLength<Schema>(
	create: (maxLength: number) => Schema,
): (maxLength?: number) => Schema {
	const made = new Map<number, Schema>();
	return (maxLength = 255) => {
		const schema = made.get(maxLength) ?? create(maxLength);
		made.set(maxLength, schema);
		return schema;
	};
}

/** Text that both engines can store: no NUL, no lone surrogate, at most `maxLength` code points (docs/decisions.md#text). */
export const text = byLength((maxLength) =>
	z
		.string()
		// One call, because each copies the schema, and the contract has hundreds of texts.
		.check(
			z.refine((value) => !value.includes("\0"), {
				error: "must not contain the NUL character",
			}),
			z.refine((value) => !LONE_SURROGATE.test(value), {
				error: "must not contain a lone surrogate",
			}),
			z.refine(
				(value) => value.length <= maxLength || codePoints(value) <= maxLength,
				{ error: `must have at most ${maxLength} characters` },
			),
		)
		.meta({ maxLength }),
);

/** Text with at least one character that is not white space. */
export const requiredText = byLength((maxLength) =>
	text(maxLength)
		.refine((value) => value.trim() !== "", { error: "must not be blank" })
		.meta({ maxLength, pattern: "\\S" }),
);

/** Any control character but NUL: `text` refuses NUL already. */
const CONTROL = /[^\P{Cc}\0]/u;

/** A label or a name: required, one line, no control characters. */
export const requiredLine = byLength((maxLength) =>
	requiredText(maxLength)
		.refine((value) => !CONTROL.test(value), {
			error: "must not contain control characters",
		})
		.meta({ maxLength, pattern: "\\S" }),
);

const LOOSE_EMAIL = /^[^\s@]+@[^\s@]+$/;

/** An e-mail address, loosely checked: something, an at sign, a host. It is stored as it was sent. */
export const email = () =>
	text(320)
		.refine((value) => LOOSE_EMAIL.test(value), {
			error: "must be an e-mail address",
		})
		.meta({ maxLength: 320, pattern: LOOSE_EMAIL.source });

/** An http or https URL with a host, without a user name or password. */
const WEB_URL = /^[hH][tT][tT][pP][sS]?:\/\/[^\s/?#@\\]+([/?#]\S*)?$/;

/** A URL of a record, for people to follow (docs/decisions.md#urls-of-records). `javascript:` must never be stored. */
export const webUrl = () =>
	text(2048)
		.refine(
			(value) =>
				WEB_URL.test(value) && !CONTROL.test(value) && parseUrl(value) !== null,
			{ error: "must be an http or https URL" },
		)
		.meta({ maxLength: 2048, pattern: WEB_URL.source, format: "uri" });

const Timestamp = z.string().meta({ format: "date-time" });

/** ISO 8601 UTC with milliseconds and `Z`, as every timestamp is returned (docs/decisions.md#timestamps). */
export const timestamp = () => Timestamp;

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const FIRST_DAY = Date.parse("0001-01-01T00:00:00Z");

const isCalendarDate = (value: string): boolean => {
	if (!DATE.test(value)) return false;
	const date = new Date(`${value}T00:00:00Z`);
	// JavaScript takes 30 February for 1 March.
	return date.getTime() >= FIRST_DAY && date.toISOString().startsWith(value);
};

/** `YYYY-MM-DD` of a day that exists (docs/decisions.md#numbers-and-dates). */
export const calendarDate = () =>
	z
		.string()
		.refine(isCalendarDate, {
			error: "must be a date that exists, YYYY-MM-DD",
		})
		.meta({ format: "date" });

const hasFourDigitYear = (value: string): boolean => {
	const year = new Date(value).getUTCFullYear();
	return year >= 1 && year <= 9999;
};

/** A point in time with an offset, such as `2026-11-27T22:25:01Z`, whose year in UTC is from 0001 to 9999. */
export const instant = () =>
	z.iso
		.datetime({
			offset: true,
			error: "must be an ISO 8601 date and time with an offset",
		})
		.refine(hasFourDigitYear, { error: "must have a year from 0001 to 9999" });
