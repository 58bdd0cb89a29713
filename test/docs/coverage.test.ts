import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
	SPEC_GROUPS,
	SPEC_OPERATIONS,
} from "../../scripts/coverage-page/specification.ts";
import {
	rows,
	rowsOf,
	toCoveragePage,
	toRoute,
} from "../../scripts/coverage-page/to-coverage-page.ts";
import { ROOT, readSource } from "../kit/sources.ts";

/** The page without its lists of tests, because a new test alone does not make it wrong. */
const withoutTests = (page: string) => page.replaceAll(/^Tests: .*$/gm, "");

test("docs/coverage.md is what the operation table says now", () => {
	const written = readSource("docs/coverage.md");
	expect(
		withoutTests(written) === withoutTests(toCoveragePage()),
		"docs/coverage.md is out of date: run `npm run docs:coverage`",
	).toBe(true);
});

test("the tests that docs/coverage.md names exist", () => {
	const named = readSource("docs/coverage.md").match(/[\w/.-]+\.test\.ts/g);
	expect(named?.length).toBeGreaterThan(50);
	for (const path of new Set(named))
		expect(
			existsSync(join(ROOT, path)),
			`${path} is gone: run \`npm run docs:coverage\``,
		).toBe(true);
});

test("A009 every group of the specification has operations, and each part that it names", () => {
	const missing = Object.entries(SPEC_GROUPS).flatMap(([group, parts]) => {
		const paths = rowsOf(group).map(({ path }) => `${path}/`);
		if (paths.length === 0) return [group];
		return parts
			.filter((part) => !paths.some((path) => path.includes(`/${part}/`)))
			.map((part) => `${group}: ${part}`);
	});
	expect(missing).toEqual([]);
});

test("A009 every operation is in a group of the specification", () => {
	const strange = rows.filter(({ group }) => !(group in SPEC_GROUPS));
	expect(strange.map(({ id, group }) => `${id}: ${group}`)).toEqual([]);
});

test("every operation that the specification gives or names is in the table", () => {
	const routes = rows.map(toRoute);
	const missing = [...SPEC_OPERATIONS.keys()].filter(
		(route) => !routes.includes(route),
	);
	expect(missing).toEqual([]);
});
