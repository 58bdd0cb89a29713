// How long an answer of MCP may be, and how pages of records of any length go on: whoever follows the answers loses none.
import { MAX_TOOL_ANSWER_BYTES } from "@partnerwire/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toContent } from "../../src/mcp/to-content.ts";
import { useApi } from "../support/api-world.ts";
import { createMcp } from "../support/mcp-messages.ts";
import { createPartner } from "../support/records.ts";

const api = useApi();
const { call } = createMcp(api);

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

describe("a long answer", () => {
	const LONG = "ä".repeat(4000);
	const given = { search: "long page", sort: "created_at" };
	const MANY = 23;

	async function createMany(): Promise<void> {
		for (let at = 0; at < MANY; at++) {
			api().clock.advance(1);
			await createPartner(api(), {
				name: `Long page ${at}`,
				description: LONG,
			});
		}
	}

	test("of a list is a smaller page, and says how to go on to its end", async () => {
		await createMany();
		const seen: string[] = [];
		let next: object | null = { page: 1, per_page: 12 };
		while (next) {
			const [json = "", ...notes] = await call("listPartners", {
				...given,
				...next,
			});
			expect(Buffer.byteLength(json)).toBeLessThanOrEqual(
				MAX_TOOL_ANSWER_BYTES,
			);
			const { data, pagination } = JSON.parse(json);
			const { page, per_page } = pagination;
			const path = `/v1/partners?search=long%20page&sort=created_at&page=${page}&per_page=${per_page}`;
			expect({ data, pagination }).toEqual(
				(await api().request("GET", path)).body,
			);
			seen.push(...data.map(({ name }: { name: string }) => name));
			if (notes.length > 0)
				expect(notes).toEqual([
					`The page that was asked for is too long: this is its beginning, ${data.length} of its records. Go on with page ${page + 1} and per_page ${per_page}.`,
				]);
			next =
				page < pagination.total_pages ? { page: page + 1, per_page } : null;
		}
		expect(seen).toEqual(
			Array.from({ length: MANY }, (_, at) => `Long page ${at}`),
		);
	});

	test.each([
		[2, 12],
		[2, 7],
		[3, 11],
	])(
		"of page %i with per_page %i begins where that page begins",
		async (page, per_page) => {
			const [json = ""] = await call("listPartners", {
				...given,
				page,
				per_page,
			});
			expect(JSON.parse(json).data[0].name).toBe(
				`Long page ${(page - 1) * per_page}`,
			);
		},
	);

	test("of anything else ends, and says so", async () => {
		const content = `${"ä".repeat(49_000)}`;
		const [json = "", note] = await call("createTask", {
			title: "Long",
			content,
		});
		expect(Buffer.byteLength(json)).toBeLessThanOrEqual(MAX_TOOL_ANSWER_BYTES);
		expect(json).not.toContain("\uFFFD");
		expect(note).toMatch(
			/^The answer has \d+ bytes and ends here, after 50000\./,
		);
	});
});
