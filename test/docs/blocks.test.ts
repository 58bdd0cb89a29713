import { expect, test } from "vitest";
import { blocksOf } from "../support/code-blocks.ts";
import { listFiles, readSource } from "../support/sources.ts";
import { NOT_RUN, RUNNERS } from "./block-runners.ts";

const pages = [
	"README.md",
	...["docs", "admin", "dispatcher", "receiver", "fixtures", "shared"]
		.flatMap(listFiles)
		.filter((path) => path.endsWith(".md") && !path.includes("/test/")),
];

/** How many blocks of each language a page has that must be run. */
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
	"every block of %s is run by a test (else name it in block-runners.ts)",
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
			const source = readSource(runner);
			expect(
				source.includes(name) || source.includes("doc-blocks"),
				runner,
			).toBe(true);
		}
	},
);
