import { expect, test } from "vitest";
import {
	createOutput,
	printable,
	toJsonLine,
} from "../../admin/src/cli/output/output.ts";
import { printPages } from "../../admin/src/cli/output/print-pages.ts";

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

/** Prints a list of so many items, to which one is added in front before each page but the first. */
async function printGrowing(total: number, limit?: number): Promise<string[]> {
	const list = Array.from({ length: total }, (_, n) => ({ id: `old ${n}` }));
	let printed = "";
	const output = createOutput(false, (text) => {
		printed += text;
	});
	await printPages(
		async ({ page, per_page }) => {
			if (page > 1) list.unshift({ id: `new ${page}` });
			const data = list.slice((page - 1) * per_page, page * per_page);
			const total_pages = Math.ceil(list.length / per_page);
			return { data, pagination: { page, total_pages } };
		},
		{
			output,
			toLine: ({ id }) => id,
			empty: "nothing",
			...(limit !== undefined && { limit }),
		},
	);
	return printed.trimEnd().split("\n");
}

test.each([
	[250, undefined, 250],
	[250, 120, 120],
	[250, 7, 7],
	[100, undefined, 100],
])(
	"a list of %i that grows is printed with each item once, up to %s",
	async (total, limit, lines) => {
		expect(await printGrowing(total, limit)).toEqual(
			Array.from({ length: lines }, (_, n) => `old ${n}`),
		);
	},
);

test("a list without items says so", async () => {
	expect(await printGrowing(0)).toEqual(["nothing"]);
});
