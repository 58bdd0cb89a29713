import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
	canonicalise,
	normaliseNumber,
	TooDeep,
} from "../../src/body/canonical.ts";
import { hasDuplicateKey } from "../../src/body/json-body.ts";

const of = (text: string): string => canonicalise(JSON.parse(text), text);

/** Writes the same JSON with shuffled keys and with every character of every string as an escape. */
function respell(value: unknown, flip: boolean): string {
	if (typeof value === "string")
		return `"${[...Array(value.length).keys()]
			.map((at) => `\\u${value.charCodeAt(at).toString(16).padStart(4, "0")}`)
			.join("")}"`;
	if (Array.isArray(value))
		return `[ ${value.map((each) => respell(each, flip)).join(" , ")} ]`;
	if (typeof value === "object" && value !== null) {
		const members = Object.entries(value).map(
			([key, each]) => `${respell(key, flip)} :\n${respell(each, flip)}`,
		);
		return `{${(flip ? members.reverse() : members).join(",")}}`;
	}
	return JSON.stringify(value);
}

const json = fc.jsonValue({ maxDepth: 4, stringUnit: "binary" });

describe("the canonical form", () => {
	test("is the same for every spelling, and for the parsed value alone", () => {
		fc.assert(
			fc.property(json, fc.boolean(), (value, flip) => {
				const text = JSON.stringify(value);
				expect(of(respell(JSON.parse(text), flip))).toBe(of(text));
				expect(canonicalise(JSON.parse(text))).toBe(of(text));
			}),
		);
	});

	test("differs when the value does", () => {
		const plain = (value: unknown) =>
			JSON.stringify(value, (_key, each) =>
				typeof each === "object" && each !== null && !Array.isArray(each)
					? Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))
					: each,
			);
		fc.assert(
			fc.property(json, json, (one, two) => {
				const texts = [JSON.stringify(one), JSON.stringify(two)] as const;
				if (Array.isArray(one) || Array.isArray(two)) return;
				expect(of(texts[0]) === of(texts[1])).toBe(
					plain(JSON.parse(texts[0])) === plain(JSON.parse(texts[1])),
				);
			}),
		);
	});

	test("takes nothing for something else", () => {
		const distinct = [
			'{"a":"1"}',
			'{"a":1}',
			'{"a":[1]}',
			'{"a":[1,1]}',
			'{"a":[11]}',
			'{"a":["1"]}',
			'{"a":null}',
			'{"a":"null"}',
			'{"a":true}',
			'{"a":{}}',
			'{"a":[]}',
			'{"a":""}',
			'{"a":"\\u0000#1"}',
			'{"a":"\\u0000\\u0000#1"}',
			'{"a":"\\u0000#1","b":1e400}',
			'{"a":1,"b":1e400}',
			'{"a":"\\ud800"}',
			'{"a":"\\ud801"}',
			'{"a":"\\ufffd"}',
			'{"a":"\\\\ud800"}',
			'{"a":"\\ud83d\\ude00"}',
			'{"a":1e400}',
			'{"a":1e401}',
			'{"a":-1e400}',
			'{"a":9007199254740992}',
			'{"a":9007199254740993}',
			'{"a":0.1}',
			'{"a":0.1000000000000000000001}',
			'{"__proto__":1}',
			"{}",
			'{"\\u0000#1":0,"x":1e400}',
			'{"1":0,"x":1e400}',
		];
		expect(new Set(distinct.map(of)).size).toBe(distinct.length);
	});

	test("normalises numbers by value", () => {
		for (const [value, ...spellings] of [
			["1", "1", "1.0", "10e-1", "0.1E+1", "1e0", "1.000000000000000000"],
			["0", "0", "-0", "0.0", "0e99", "-0.000"],
			["-1500", "-1500", "-1.5e3", "-15E2", "-1500.00"],
			["1e15", "1000000000000000", "1e15", "1E+15"],
			["1e-1", "0.1", "1e-1", "0.10"],
			["1e99999999999999999999", "1e99999999999999999999"],
		])
			for (const spelling of spellings)
				expect(normaliseNumber(spelling), spelling).toBe(value);
	});

	test("sorts many keys as it sorts few", () => {
		const keys = Array.from({ length: 100 }, (_, index) => `k${index}`);
		const write = (list: string[]) =>
			of(`{${list.map((key) => `"${key}":1`).join(",")}}`);
		expect(write(keys)).toBe(write([...keys].reverse()));
	});

	test("A19 throws at 129 levels, also on what is cyclic", () => {
		const nested = (depth: number) =>
			JSON.parse("[".repeat(depth) + "]".repeat(depth));
		expect(() => canonicalise(nested(128))).not.toThrow();
		expect(() => canonicalise(nested(129))).toThrow(TooDeep);
		const cyclic: unknown[] = [];
		cyclic.push(cyclic);
		expect(() => canonicalise(cyclic)).toThrow(TooDeep);
	});
});

test("A27 duplicate keys are found in text", () => {
	for (const text of [
		'{"a":1,"a":2}',
		'[{"b":{"a":1,"\\u0061":2}}]',
		'{"":1,"":2}',
	])
		expect(hasDuplicateKey(text), text).toBe(true);
	for (const text of [
		'{"a":{"a":1},"b":["a","a",{"a":1}]}',
		'{"a":"b\\":","b":"{\\"a\\":1,\\"a\\":2}"}',
		"[]",
	])
		expect(hasDuplicateKey(text), text).toBe(false);
});
