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
import { readSource } from "../support/sources.ts";

/** Groups, and parts of groups, whose work is under way. */
const WAITING: readonly string[] = [
	"Commissions",
	"Pricing Calculators",
	"Tasks",
	"Deals: tasks",
	"Leads: tasks",
	"PATCH /v1/pricing-calculators/{}/fields/{}",
	"PATCH /v1/pricing-calculators/{}",
	"POST /v1/deals/{}/tasks",
	"POST /v1/tasks",
];

test("docs/coverage.md is what the operation table and the tests say now", () => {
	const written = readSource("docs/coverage.md");
	expect(
		written === toCoveragePage(),
		"docs/coverage.md is out of date: run `npm run docs:coverage`",
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
	expect(missing.filter((name) => !WAITING.includes(name))).toEqual([]);
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
	expect(missing.filter((name) => !WAITING.includes(name))).toEqual([]);
});
