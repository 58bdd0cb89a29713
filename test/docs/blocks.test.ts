import { expect, test } from "vitest";
import { blocksOf } from "../kit/code-blocks.ts";
import { listFiles, readSource } from "../kit/sources.ts";
import { NEWCOMER, NOT_RUN, RUNNERS } from "./block-runners.ts";

const pages = [
	"README.md",
	...["docs", "admin", "dispatcher", "receiver", "fixtures", "shared"]
		.flatMap(listFiles)
		.filter((path) => path.endsWith(".md") && !path.includes("/test/")),
];

const withoutComments = (code: string) =>
	code.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");

/** Counts the blocks of each language in a page that a test must read. */
function countBlocks(page: string): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { language } of blocksOf(page))
		if (!NOT_RUN.includes(language))
			counts[language] = (counts[language] ?? 0) + 1;
	return counts;
}

test("the pages are found", () => {
	expect(pages.length).toBeGreaterThan(20);
});

test.each(pages)(
	"every block of %s is read by a test (else name it in block-runners.ts)",
	(page) => {
		const known = Object.entries(RUNNERS[page] ?? {});
		expect(countBlocks(page)).toEqual(
			Object.fromEntries(
				known.map(([language, [, count]]) => [language, count]),
			),
		);
	},
);

test.each(Object.entries(RUNNERS))(
	"the tests that run %s read it",
	(page, runners) => {
		const name =
			page
				.replace(/^(docs|shared)\//, "")
				.split("/")
				.at(-1) ?? page;
		for (const [runner] of Object.values(runners)) {
			const code = withoutComments(readSource(runner));
			// The test names the page, reads all pages of its folder, or reads the receiver's page.
			const reads = [name, `listFiles("${page.split("/")[0]}")`, "doc-blocks"];
			expect(
				reads.some((each) => code.includes(each)),
				runner,
			).toBe(true);
		}
	},
);

test("output is shown only where a walk-through is held to it", () => {
	const shown = pages.filter((page) =>
		blocksOf(page).some(({ language }) => language === "text"),
	);
	const held = shown.filter((page) =>
		Object.values(RUNNERS[page] ?? {}).some(([runner]) => runner === NEWCOMER),
	);
	expect(shown.length).toBeGreaterThan(2);
	expect(shown).toEqual(held);
});
