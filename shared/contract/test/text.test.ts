// The schemas of texts, dates, e-mail addresses and list parameters.

import fc from "fast-check";
import { expect, test } from "vitest";
import { pageQuery, querySearch, querySet } from "../src/table/list-query.ts";
import {
	calendarDate,
	email,
	instant,
	requiredLine,
	requiredText,
	text,
} from "../src/table/text.ts";

const passes = (
	schema: { safeParse(value: unknown): { success: boolean } },
	value: unknown,
) => schema.safeParse(value).success;

test("a text passes exactly when both engines can store it and it is short enough in code points", () => {
	const piece = fc.constantFrom(
		"a",
		"é",
		"😀",
		"\0",
		"\uD83D",
		"\uDE00",
		" ",
		"\n",
	);
	fc.assert(
		fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
			const value = pieces.join("");
			const isStorable =
				Buffer.from(value).toString() === value && !value.includes("\0");
			expect(passes(text(8), value)).toBe(isStorable && [...value].length <= 8);
		}),
		{ numRuns: 500 },
	);
});

test("a required text is not blank, whatever the white space", () => {
	for (const blank of ["", " ", "\t\n", "\u00A0", "\u3000"])
		expect(passes(requiredText(), blank)).toBe(false);
	expect(passes(requiredText(), " x ")).toBe(true);
});

test("a line has no control character; a longer text may have lines and tabs", () => {
	for (const control of ["\n", "\r", "\t", "\x01", "\x1B", "\x7F", "\x85"])
		expect(passes(requiredLine(), `a${control}b`)).toBe(false);
	expect(passes(requiredLine(), "Zoë’s 😀 label")).toBe(true);
	expect(passes(requiredText(), "a\r\n\tb")).toBe(true);
});

test("a date passes exactly when the calendar has it", () => {
	const part = (max: number) => fc.integer({ min: 0, max });
	fc.assert(
		fc.property(
			fc.integer({ min: 1, max: 9999 }),
			part(13),
			part(32),
			(year, month, day) => {
				const pad = (value: number) => String(value).padStart(2, "0");
				const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
				const days = [
					31,
					leap ? 29 : 28,
					31,
					30,
					31,
					30,
					31,
					31,
					30,
					31,
					30,
					31,
				];
				const exists = day >= 1 && day <= (days[month - 1] ?? 0);
				expect(
					passes(
						calendarDate(),
						`${String(year).padStart(4, "0")}-${pad(month)}-${pad(day)}`,
					),
				).toBe(exists);
			},
		),
		{ numRuns: 1000 },
	);
	for (const wrong of [
		"0000-01-01",
		"2026-1-01",
		"2026-01-01T00:00:00Z",
		"+002026-01-01",
		"",
	])
		expect(passes(calendarDate(), wrong)).toBe(false);
});

test("an instant has an offset and a year from 0001 to 9999", () => {
	for (const right of [
		"2026-11-27T12:00:00Z",
		"2026-11-27T12:00:00.123+02:00",
		"0001-01-01T00:00:00Z",
	])
		expect([right, passes(instant(), right)]).toEqual([right, true]);
	for (const wrong of [
		"2026-11-27T12:00:00",
		"2026-11-27",
		"2026-02-30T00:00:00Z",
		"0000-06-01T00:00:00Z",
		"0001-01-01T00:00:00+01:00",
		"9999-12-31T23:59:59-01:00",
		"2026-11-27T24:00:00Z",
		"1795780800000",
		"",
	])
		expect([wrong, passes(instant(), wrong)]).toEqual([wrong, false]);
});

test("an e-mail address has something on both sides of one at sign", () => {
	for (const right of ["a@b", "ü@x.example", "a+b@x.example"])
		expect(passes(email(), right)).toBe(true);
	for (const wrong of ["", "a", "@", "a@", "@b", "a b@c", "a@b@c", "a@b\0"])
		expect([wrong, passes(email(), wrong)]).toEqual([wrong, false]);
});

test("A022 A023 of all strings, per_page takes exactly 1 to 100 in plain digits, page every safe integer from 1", () => {
	const digits = fc.string({
		unit: fc.constantFrom(..."0123456789+-.ex_ "),
		maxLength: 18,
	});
	fc.assert(
		fc.property(
			fc.oneof(digits, fc.string(), fc.nat(300).map(String)),
			(value) => {
				const isPlain = /^[1-9][0-9]*$/.test(value);
				const isSafe =
					isPlain && BigInt(value) <= BigInt(Number.MAX_SAFE_INTEGER);
				expect(passes(pageQuery.page, value)).toBe(isSafe);
				expect(passes(pageQuery.per_page, value)).toBe(
					isPlain && BigInt(value) <= 100n,
				);
			},
		),
		{ numRuns: 1000 },
	);
	for (const value of [
		0,
		-1,
		1.5,
		Number.NaN,
		Number.POSITIVE_INFINITY,
		2 ** 53,
		null,
		true,
		["1", "2"],
	])
		expect([value, passes(pageQuery.page, value)]).toEqual([value, false]);
});

test("a search is trimmed before it is measured, and a set is split", () => {
	expect(querySearch().parse(`  ${"😀".repeat(200)} `)).toBe("😀".repeat(200));
	expect(passes(querySearch(), "x".repeat(201))).toBe(false);
	expect(querySet(text()).parse(["a,b", "c"])).toEqual(["a", "b", "c"]);
});
