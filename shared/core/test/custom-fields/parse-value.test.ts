// The canonical form of values (docs/custom-fields.md#values-and-their-types), and their uuids.

import type { CustomFieldType } from "@partnerwire/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseValue } from "../../src/custom-fields/engine/parse-value.ts";
import {
	fromValueUuid,
	toValueUuid,
} from "../../src/custom-fields/engine/value-uuid.ts";
import { field } from "./support.ts";

const GB = { country: "GB" };
const parse = (
	type: CustomFieldType,
	given: unknown,
	set: { country: string | null } = GB,
) => {
	const parsed = parseValue(given, field(1, type), set);
	return "reason" in parsed ? parsed.reason : parsed.value;
};
const text = (value: string) => ({ text: value });

test.each<[CustomFieldType, unknown, unknown]>([
	["text", { text: " as it is " }, text(" as it is ")],
	["text", { text: "__proto__" }, text("__proto__")],
	["text", { text: "x".repeat(1000) }, text("x".repeat(1000))],
	["text", { text: "😀".repeat(1000) }, text("😀".repeat(1000))],
	["textarea", { textarea: "x" }, text("x")],
	["textarea", { textarea: "x", text: "y" }, text("y")],
	[
		"email",
		{ text: " Mara.Lind@GLOBEX.Example " },
		text("Mara.Lind@globex.example"),
	],
	["website", { text: "Globex.EXAMPLE" }, text("https://globex.example/")],
	[
		"website",
		{ text: "http://globex.example/a?b#c" },
		text("http://globex.example/a?b#c"),
	],
	[
		"website",
		{ text: "globex.example:8080/x" },
		text("https://globex.example:8080/x"),
	],
	[
		"website",
		{ text: "https://[2001:db8::1]/" },
		text("https://[2001:db8::1]/"),
	],
	["website", { text: "192.0.2.7" }, text("https://192.0.2.7/")],
	["website", { text: "192.0.2.7:8443/x" }, text("https://192.0.2.7:8443/x")],
	["website", { text: "globex.example." }, text("https://globex.example/")],
	[
		"website",
		{ text: "BÜCHER.example" },
		text("https://xn--bcher-kva.example/"),
	],
	["phone", { text: "+44 20 7946 0958" }, text("+442079460958")],
	["phone", { text: "020 7946 0958" }, text("+442079460958")],
	["number", { number: 0 }, 0],
	["number", { number: -0 }, 0],
	["number", 1.5, 1.5],
	["date", { date: "2024-02-29" }, "2024-02-29"],
	["boolean", { boolean: false }, false],
	["checkbox", true, true],
	["select", { select: 11 }, 11],
	["multi_select", { multi_select: [12, 11, 12] }, [12, 11]],
	["multi_select", { multi_select: [] }, null],
])("%s %j is stored as %j", (type, given, stored) => {
	expect(parse(type, given)).toEqual(stored);
});

test.each<[CustomFieldType, unknown]>([
	["text", "bare"],
	["text", { text: 5 }],
	["text", {}],
	["text", { text: "a\0b" }],
	["text", { text: "\ud800" }],
	["text", { text: "x".repeat(1001) }],
	["text", JSON.parse('{"__proto__":{"text":"x"}}')],
	["email", { text: "mara" }],
	["email", { text: "mara@globex" }],
	["email", { text: "a@b@c.example" }],
	["email", { text: "a b@c.example" }],
	["email", { text: "a..b@c.example" }],
	["website", { text: "ftp://globex.example" }],
	["website", { text: "javascript:alert(1)" }],
	["website", { text: "mailto:a@b.c" }],
	["website", { text: "https://user:pw@globex.example" }],
	["website", { text: "https://@globex.example" }],
	["website", { text: "localhost" }],
	["website", { text: "https://2130706433" }],
	["website", { text: "glo bex.example" }],
	["website", { text: "https://globex.example\\@evil.example" }],
	["website", { text: "//globex.example" }],
	["website", { text: "///globex.example" }],
	["website", { text: "com.example.app://open" }],
	["website", { text: "localhost.\u00AD" }],
	["website", { text: "\u00AD.com" }],
	["website", { text: "1.5" }],
	["website", { text: "0x7f.0.0.1" }],
	["website", { text: ".a.b" }],
	["website", { text: "a..b.c" }],
	["website", { text: "-.-" }],
	["website", { text: "https://*.com" }],
	["website", { text: "a.b,c.d" }],
	["phone", { text: "not a phone" }],
	["phone", { text: "+1" }],
	["phone", { text: "+44 20 7946 0958 ext. 5" }],
	["number", { number: "5" }],
	["number", { text: "abc" }],
	["number", { number: 2 ** 53 }],
	["number", Number.POSITIVE_INFINITY],
	["date", { date: "2026-02-30" }],
	["date", { date: "2026-01-01T00:00:00Z" }],
	["boolean", { boolean: "true" }],
	["boolean", { boolean: 1 }],
	["checkbox", "true"],
	["checkbox", { boolean: 1 }],
	["select", { select: "11" }],
	["select", { select: [11] }],
	["multi_select", { multi_select: 11 }],
	["multi_select", { multi_select: [1.5] }],
])("%s %j is invalid", (type, given) => {
	expect(parse(type, given)).toBe("invalid_value");
});

test("an option that is not there is told apart", () => {
	expect(parse("select", { select: 99 })).toBe("invalid_option");
	expect(parse("multi_select", { multi_select: [11, 99] })).toBe(
		"invalid_option",
	);
});

test("without a country a national number is refused", () => {
	const national = { text: "020 7946 0958" };
	expect(parse("phone", national, { country: null })).toBe("invalid_value");
});

test.each([
	"text",
	"textarea",
	"email",
	"website",
	"phone",
	"number",
	"date",
	"boolean",
	"select",
	"multi_select",
] as const)(
	"anything as %s is a canonical value, a blank, or refused",
	(type) => {
		const likely = fc.oneof(
			fc.jsonValue(),
			fc.webUrl(),
			fc.emailAddress(),
			fc.domain(),
			fc.string({ unit: "binary" }),
		);
		fc.assert(
			fc.property(
				fc.oneof(
					likely,
					likely.map((inner) => ({ text: inner })),
				),
				(given) => {
					const stored = parse(type, given);
					if (typeof stored === "string" && stored.startsWith("invalid_"))
						return;
					expect(parse(type, stored)).toEqual(stored);
				},
			),
			{ numRuns: 200 },
		);
	},
);

test("a value's uuid is a UUIDv7 that names its record's values and its field", () => {
	const id = fc.integer({ min: 1, max: 2 ** 40 - 1 });
	const fieldId = fc.integer({ min: 1, max: 2 ** 32 - 1 });
	fc.assert(
		fc.property(id, fieldId, (valuesId, fieldId) => {
			const uuid = toValueUuid({ id: valuesId, createdAt: 1.7e12 }, fieldId);
			expect(uuid).toMatch(
				/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
			);
			expect(fromValueUuid(uuid)).toEqual({ valuesId, fieldId });
		}),
	);
	expect(fromValueUuid("0192a1b2-c3d4-4e5f-8a6b-7c8d9e0f1a2b")).toBe(null);
});
