import { createClient, items, pages } from "@partnerwire/sdk";
import { expect, test } from "vitest";

/** A service with so many leads, and which pages it was asked for. */
function createLeads(total: number) {
	const asked: string[] = [];
	const client = createClient({
		baseUrl: "http://service.example",
		apiKey: "pwk_secret",
		fetch: async (url) => {
			const query = new URL(String(url)).searchParams;
			const [page, size] = ["page", "per_page"].map((name) =>
				Number(query.get(name)),
			) as [number, number];
			asked.push(`${page} ${query.get("search")}`);
			const left = Math.max(0, Math.min(size, total - (page - 1) * size));
			return Response.json({
				data: Array.from({ length: left }, (_, index) => ({
					uuid: String((page - 1) * size + index),
				})),
				pagination: { page, total_pages: Math.ceil(total / size) },
			});
		},
	});
	return { list: client.listLeads, asked };
}

test.each([
	[0, 1],
	[1, 1],
	[10, 1],
	[11, 2],
	[35, 4],
])("%i records are read once each, in %i requests", async (total, requests) => {
	const { list, asked } = createLeads(total);
	const uuids: string[] = [];
	const call = { query: { search: "x", per_page: 10 } };
	for await (const { uuid } of items(list, call)) uuids.push(uuid);
	expect(uuids).toEqual(Array.from({ length: total }, (_, n) => String(n)));
	expect(asked).toEqual(
		Array.from({ length: requests }, (_, index) => `${index + 1} x`),
	);
});

test("pages begin with the one asked for, and what is not read is not fetched", async () => {
	const { list, asked } = createLeads(50);
	const call = { query: { page: 2, per_page: 10 } };
	for await (const { pagination } of pages(list, call))
		if (pagination.page === 3) break;
	expect(asked).toEqual(["2 null", "3 null"]);
});
