import { expect, test } from "vitest";
import { printable, toJsonLine } from "../../admin/src/cli/output/output.ts";

test("text of others neither forges a line nor speaks to the terminal", () => {
	expect(printable("C\u001b[2JRM\nx\u007f\u009b")).toBe(
		"C\\u001b[2JRM\\u000ax\\u007f\\u009b",
	);
	for (const turned of "\u061c\u200e\u200f\u202a\u202e\u2066\u2069\u0085")
		expect(printable(turned)).toMatch(/^\\u[0-9a-f]{4}$/);
	expect(printable("Zoë & Söhne ✓")).toBe("Zoë & Söhne ✓");
});

test("a line of JSON shows no control character, and says the same", () => {
	const value = { "na\u202eme": "C\u001b[2J\u007f\u009b\n\u2066 Zoë \\u" };
	const line = toJsonLine(value);
	expect(line).toMatch(/^[\x20-\x7eë]+$/);
	expect(JSON.parse(line)).toEqual(value);
});
