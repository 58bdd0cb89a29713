import { ERROR_STATUS } from "@partnerwire/contract";
import { adviceForClass, FAILURE_CLASSES } from "@partnerwire/dispatcher";
import { REASONS } from "@partnerwire/receiver";
import { expect, test } from "vitest";
import { readSource } from "../kit/sources.ts";

const page = readSource("docs/troubleshooting.md");

/** The rows of the table under a heading, as their cells. */
function rowsUnder(heading: string): string[][] {
	const [, section = ""] = page.split(`\n## ${heading}\n`);
	const [own = ""] = section.split("\n## ");
	return own
		.split("\n")
		.filter((line) => line.startsWith("| `"))
		.map((line) =>
			line
				.slice(2, -2)
				.split(" | ")
				.map((cell) => cell.replaceAll(/^`(.*)`$/g, "$1")),
		);
}

test("every failure class stands there, with the code's own advice", () => {
	expect(rowsUnder("Failure classes")).toEqual(
		FAILURE_CLASSES.map((name) => [name, adviceForClass(name)]),
	);
});

test("every reason code of the receiver stands there, with its status and something to do", () => {
	const rows = rowsUnder("Reason codes");
	expect(rows.map(([code, status]) => [code, Number(status)])).toEqual(
		Object.entries(REASONS).map(([code, [status]]) => [code, status]),
	);
	for (const [code, , advice] of rows)
		expect(advice?.length, code).toBeGreaterThan(20);
});

test("every error code of the API stands there, with its status", () => {
	expect(
		rowsUnder("Errors of the API").map(([code, status]) => [
			code,
			Number(status),
		]),
	).toEqual(Object.entries(ERROR_STATUS));
});
