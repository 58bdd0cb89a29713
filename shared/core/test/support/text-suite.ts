import { afterAll, beforeAll, expect, test } from "vitest";
import {
	addPartner,
	openTestCore,
	type TestCore,
} from "#kit/database/open-core.ts";
import { foldText } from "../../src/values/fold-case.ts";

/** Words that some locales order or fold in their own way. */
const NAMES = [
	...["Zebra", "zebra", "apfel", "Apfel", "Äpfel", "äpfel", "ÄPFEL"],
	...["straße", "STRASSE", "STRAẞE", "Größe", "grösse"],
	...[
		"Istanbul",
		"istanbul",
		"ISTANBUL",
		"İstanbul",
		"ıstanbul",
		"IĞDIR",
		"ığdır",
	],
	...["ΟΔΟΣ", "οδος", "οδοσ", "ὈΔΥΣΣΕΎΣ", "ЖУК", "жук", "Ǆungla", "ǆungla"],
	// Composed, and the same letters decomposed.
	...["Ångström", "A\u030Angstro\u0308m", "\u212Bngström"],
	...[
		"😀 Emoji",
		"👩‍👩‍👧 Emoji",
		"𐐀𐐁𐐂",
		"𐐨𐐩𐐪",
		"\uFFFDx",
		"ﬁne",
		"東京",
		"ＡＢＣ",
	],
	...["10 b", "9 b", "a b", "a-b", "ab", "_ab", "%ab", "\\ab", "-ab", "AB"],
];

const byCodePoint = (a: string, b: string) =>
	Buffer.compare(Buffer.from(a), Buffer.from(b));

const toTerms = (name: string): string[] => {
	const points = [...name];
	return [
		...[name, name.toUpperCase(), name.toLowerCase()],
		...[points.slice(0, 1), points.slice(0, 2), points.slice(1, 4)].map(
			(part) => part.join(""),
		),
	];
};
const TERMS = [
	...new Set(NAMES.flatMap(toTerms).map((term) => term.trim())),
].filter((term) => term !== "");

/** Tests the order of lists and the results of searches, which must not depend on locale or engine. */
export function testText(newDatabase?: () => Promise<string>): void {
	let core: TestCore;
	beforeAll(async () => {
		core = await openTestCore(newDatabase ? { path: await newDatabase() } : {});
		for (const name of NAMES) {
			await addPartner(core, core.caller, name);
			await core.execute("createTask", { body: { title: name } }, core.caller);
		}
	});
	afterAll(() => core.close());

	const listPartners = async (query: { sort?: string; search?: string }) => {
		const wholeList = { ...query, per_page: 100 } as { per_page: number };
		const { data, pagination } = await core.execute(
			"listPartners",
			{ query: wholeList },
			core.caller,
		);
		expect(pagination.total).toBe(data.length);
		return data.map(({ name }) => name);
	};

	test("lists are in the order of code points, and backwards", async () => {
		const sorted = [...NAMES].sort(byCodePoint);
		expect(await listPartners({ sort: "name" })).toEqual(sorted);
		expect(await listPartners({ sort: "-name" })).toEqual(sorted.reverse());
	});

	test("a search finds what has the text in it, whatever the case by Unicode", async () => {
		for (const term of TERMS) {
			const folded = foldText(term);
			const found = (name: string) =>
				[...folded].length < 3
					? foldText(name).startsWith(folded)
					: foldText(name).includes(folded);
			const names = await listPartners({ search: term });
			expect(names.sort(byCodePoint), term).toEqual(
				NAMES.filter(found).sort(byCodePoint),
			);
		}
	});

	test("so does one without an index", async () => {
		for (const term of TERMS) {
			const { data } = await core.execute(
				"listTasks",
				{ query: { search: term, per_page: 100 } },
				core.caller,
			);
			expect(data.map(({ title }) => title).sort(byCodePoint), term).toEqual(
				NAMES.filter((name) => foldText(name).includes(foldText(term))).sort(
					byCodePoint,
				),
			);
		}
	});
}
