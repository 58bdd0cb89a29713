// Which uuids are valid (docs/contract.md#conventions).

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isUuid, MAX_UUID, NIL_UUID, Uuid } from "../src/index.ts";

const HEX = "0123456789abcdef";
const withDigits = (version: string, variant: string) =>
	`0192a1b2-c3d4-${version}e5f-${variant}a6b-7c8d9e0f1a2b`;

describe("the rule of the contract, digit by digit", () => {
	const versions = [..."0123456789abcdefABCDEF"];
	test.each(versions)("A011 A012 version %s", (version) => {
		expect(isUuid(withDigits(version, "8"))).toBe(/[1-8]/.test(version));
	});

	test.each(versions)("A013 variant %s", (variant) => {
		expect(isUuid(withDigits("7", variant))).toBe(/[89abAB]/.test(variant));
	});

	test("A015 nil and max, in either case, and nothing near them", () => {
		for (const uuid of [NIL_UUID, MAX_UUID, MAX_UUID.toUpperCase()])
			expect(isUuid(uuid)).toBe(true);
		for (const uuid of [
			NIL_UUID.replace(/0$/, "1"),
			MAX_UUID.replace(/f$/, "e"),
		])
			expect(isUuid(uuid)).toBe(false);
	});
});

const hex = (length: number) =>
	fc.string({
		unit: fc.constantFrom(...HEX),
		minLength: length,
		maxLength: length,
	});
const valid = fc
	.tuple(
		hex(8),
		hex(4),
		fc.constantFrom(..."12345678"),
		hex(3),
		fc.constantFrom(..."89ab"),
		hex(3),
		hex(12),
	)
	.map(
		([a, b, version, c, variant, d, e]) =>
			`${a}-${b}-${version}${c}-${variant}${d}-${e}`,
	);

test("every well-formed uuid passes in any mixture of cases, and is folded to lower case", () => {
	fc.assert(
		fc.property(fc.mixedCase(valid), (uuid) => {
			expect(isUuid(uuid)).toBe(true);
			expect(Uuid.parse(uuid)).toBe(uuid.toLowerCase());
		}),
	);
});

test("a uuid with a character changed, added, removed or moved does not pass, unless it is one again", () => {
	// Written differently from the code under test: field by field, not as one pattern.
	const isByFields = (text: string) => {
		const fields = text.toLowerCase().split("-");
		if (fields.map((field) => field.length).join() !== "8,4,4,4,12")
			return false;
		const digits = fields.join("");
		if (![...digits].every((digit) => HEX.includes(digit))) return false;
		const isUniform = /^(0+|f+)$/.test(digits);
		return (
			isUniform ||
			("12345678".includes(digits[12] ?? "x") &&
				"89ab".includes(digits[16] ?? "x"))
		);
	};
	const edit = fc.tuple(
		valid,
		fc.nat(36),
		fc.constantFrom("", "-", "0", "9", "c", "f", "g", "\n", " ", "é", "\0"),
		fc.boolean(),
	);
	fc.assert(
		fc.property(edit, ([uuid, at, text, replaces]) => {
			const edited =
				uuid.slice(0, at) + text + uuid.slice(replaces ? at + 1 : at);
			expect(isUuid(edited)).toBe(isByFields(edited));
		}),
		{ numRuns: 1000 },
	);
});

test.each([
	"",
	" ",
	"{0192a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b}",
	"urn:uuid:0192a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b",
	"0192a1b2c3d47e5f8a6b7c8d9e0f1a2b",
	"0192a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b\n",
	" 0192a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b",
	"０192a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b",
])("%j is no uuid", (text) => {
	expect(isUuid(text)).toBe(false);
	expect(Uuid.safeParse(text).success).toBe(false);
});
