import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const source = readFileSync(
	createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
	"utf8",
);

/** The problems of a page that axe-core calls serious or critical: the rule and the place. */
export async function findSeriousFaults(page: Page): Promise<string[]> {
	await page.evaluate(source);
	const { violations } = await page.evaluate<AxeResults>("axe.run()");
	return violations
		.filter(({ impact }) => impact === "serious" || impact === "critical")
		.flatMap(({ id, nodes }) =>
			nodes.map(({ target, failureSummary }) =>
				[id, target.join(" "), failureSummary].join(": "),
			),
		);
}
