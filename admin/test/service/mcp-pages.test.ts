// Pages of a list that an assistant reads over MCP, of records of any length: whoever follows the answers loses none.
import { MAX_TOOL_ANSWER_BYTES } from "@partnerwire/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { toContent } from "../../src/mcp/to-content.ts";

/** The page of a list as the API answers it. */
const toPage = (records: readonly string[], page: number, perPage: number) => ({
	data: records.slice((page - 1) * perPage, page * perPage),
	pagination: {
		page,
		per_page: perPage,
		total: records.length,
		total_pages: Math.ceil(records.length / perPage),
	},
});

/** The records that come from a page on, and how many of them came with each answer. */
function readOn(records: readonly string[], page: number, perPage: number) {
	const seen: string[] = [];
	const counts: number[] = [];
	for (let next = { page, perPage }; ; ) {
		const asked = toPage(records, next.page, next.perPage);
		const [json = "", ...notes] = toContent(asked).map((one) =>
			one.type === "text" ? one.text : "",
		);
		expect(Buffer.byteLength(json)).toBeLessThanOrEqual(MAX_TOOL_ANSWER_BYTES);
		if (notes.length === 0) expect(JSON.parse(json)).toEqual(asked);
		if (notes.length === 2) {
			// One record that is too long by itself ends in the middle.
			seen.push(asked.data[0] as string);
			counts.push(1);
			expect(notes[0]).toMatch(/^The answer has \d+ bytes and ends here/);
		} else {
			const { data, pagination } = JSON.parse(json);
			seen.push(...data);
			counts.push(data.length);
			next = { page: pagination.page + 1, perPage: pagination.per_page };
			if (next.page > pagination.total_pages) return { seen, counts };
		}
		const told = notes.at(-1)?.match(/page (\d+) and per_page (\d+).$/);
		if (!told) continue;
		const said = { page: Number(told[1]), perPage: Number(told[2]) };
		if (notes.length === 1) expect(said).toEqual(next);
		next = said;
	}
}

test("whoever goes on as the answers say gets each record once, in order", () => {
	const length = fc.oneof(
		{ weight: 8, arbitrary: fc.integer({ min: 0, max: 3000 }) },
		{ weight: 2, arbitrary: fc.integer({ min: 3000, max: 48_000 }) },
		{ weight: 1, arbitrary: fc.integer({ min: 48_000, max: 120_000 }) },
	);
	fc.assert(
		fc.property(
			fc.array(length, { maxLength: 250 }),
			fc.integer({ min: 1, max: 5 }),
			fc.integer({ min: 1, max: 100 }),
			(lengths, page, perPage) => {
				const records = lengths.map((many, at) => `${at} ${"x".repeat(many)}`);
				const { seen } = readOn(records, page, perPage);
				const wanted = records.slice((page - 1) * perPage);
				expect(seen.map((one) => one.split(" ")[0])).toEqual(
					wanted.map((one) => one.split(" ")[0]),
				);
			},
		),
		{ numRuns: 200 },
	);
});

test("no answer but the last has fewer than half of the records that fit, wherever the first page begins", () => {
	const records = Array.from({ length: 400 }, (_, at) =>
		`${at} `.padEnd(4000, "x"),
	);
	// 12 of them fit.
	for (const page of [1, 2, 3])
		for (let perPage = 1; perPage <= 100; perPage++) {
			const { counts } = readOn(records, page, perPage);
			const least = Math.min(6, perPage);
			for (const count of counts.slice(0, -1))
				expect([page, perPage, count >= least]).toEqual([page, perPage, true]);
		}
});
