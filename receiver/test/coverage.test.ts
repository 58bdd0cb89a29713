import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** The ids of the receiver's cases: a letter for the topic (see `cases/`) and a number. */
const IDS = [
	..."A01 A02 A03 A04 A05 A06 A09 A10 A11 A12 A14 A16 A17 A18 A19 A20 A22 A23 A24 A26 A27".split(
		" ",
	),
	..."B01 B02 B03 B05 B06 B08 B09 B11".split(" "),
	..."C01 C02 C03 C04 C06 C07 C08 C10 C11 C12 C13 C16 C17".split(" "),
	..."D01 D02 D03 D05 D06 D07 D08 D11 D12".split(" "),
	..."E01 E03 E04 E05 E06 E07 E09".split(" "),
	..."F01 F02 F03 F04 F06 F08 F09 F10 F12 F14 F15".split(" "),
	..."G01 G02 G03 G04 G06 G07 G08 G09 G11 G12 G13 G14 G16 G18".split(" "),
	..."H02 H06".split(" "),
];

/** Cases without a behaviour that a test could see, and why. */
const WITHOUT_TEST: Readonly<Record<string, string>> = {
	F05: "the per-step memo is not built (the list's own decision); docs/receiver.md says at-least-once",
	H04: "not to depend on jsonwebtoken: it is a development dependency of the bench only",
	H05: "not to build the verifier per request: `verify` and `createReceiver` build it once; the bench would show it",
};

const SOURCES = readdirSync(import.meta.dirname, {
	recursive: true,
	encoding: "utf8",
})
	.filter((name) => name.endsWith(".ts") && !name.startsWith("."))
	.filter((name) => !name.endsWith("coverage.test.ts"))
	.map((name) => readFileSync(join(import.meta.dirname, name), "utf8"))
	.join("\n");

/** Ids count at the start of a test's title, or as a case's id. */
const NAMED = new Set(
	[...SOURCES.matchAll(/"((?:[A-H]\d\d[ "])+)/g)].flatMap(([, ids]) =>
		(ids ?? "").split(/[ "]/),
	),
);

test("every case of the list is named by a test", () => {
	expect(IDS.filter((id) => !NAMED.has(id))).toEqual([]);
	for (const id of Object.keys(WITHOUT_TEST)) expect(IDS).not.toContain(id);
});
