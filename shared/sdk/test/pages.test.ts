import { OPERATION_IDS, operations } from "@partnerwire/contract";
import { createClient, items, pages } from "@partnerwire/sdk";
import { describe, expect, test } from "vitest";
import * as z from "zod";

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

/** A list of which some records change their place before each page but the first is read. */
function createChanging(before: string[], change: (records: string[]) => void) {
	const records = [...before];
	let asked = 0;
	const client = createClient({
		baseUrl: "http://service.example",
		apiKey: "pwk_secret",
		fetch: async (url) => {
			if (asked++ > 0) change(records);
			const page = Number(new URL(String(url)).searchParams.get("page"));
			return Response.json({
				data: records.slice((page - 1) * 10, page * 10).map((id) => ({ id })),
				pagination: { page, total_pages: Math.ceil(records.length / 10) },
			});
		},
	});
	return client.listIntegrations;
}

describe.each([1, 7, 10, 23])("while %i records are added a page", (added) => {
	const before = Array.from({ length: 45 }, (_, n) => `old ${n}`);
	let newest = 0;
	const toNew = () => `new ${newest++}`;

	test.each([
		["first", (records: string[]) => records.unshift(toNew())],
		["last", (records: string[]) => records.push(toNew())],
		[
			"anywhere",
			(records: string[]) =>
				records.splice((newest * 7) % records.length, 0, toNew()),
		],
		[
			"first, as one that was read already is",
			(records: string[]) =>
				records.unshift(...records.splice((newest++ * 3) % 10, 1)),
		],
	])("at the place %s, each is read once", async (_, add) => {
		let left = 60;
		const list = createChanging(before, (records) => {
			for (let n = 0; n < added && left-- > 0; n++) add(records);
		});
		const ids: string[] = [];
		for await (const { id } of items(list, {})) ids.push(id);
		expect(new Set(ids).size).toBe(ids.length);
		expect(ids).toEqual(expect.arrayContaining(before));
	});
});

test("the records of every list of pages have an id of their own, but for reports", () => {
	const without = OPERATION_IDS.filter((id) => {
		const { properties } = z.toJSONSchema(operations[id].response, {
			unrepresentable: "any",
			io: "output",
		}) as { properties?: Record<string, { items?: { properties?: object } }> };
		const item = properties?.data?.items?.properties ?? {};
		return properties?.pagination && !("uuid" in item || "id" in item);
	});
	expect(without).toEqual([
		"listPartnerAnalytics",
		"listPartnerEngagement",
		"listCommissionAnalytics",
	]);
});

test("records without an id are all read", async () => {
	const client = createClient({
		baseUrl: "http://service.example",
		apiKey: "pwk_secret",
		fetch: async () =>
			Response.json({
				data: [{ leads: 1 }, { leads: 1 }],
				pagination: { page: 1, total_pages: 1 },
			}),
	});
	const rows: unknown[] = [];
	for await (const row of items(client.listPartnerAnalytics, {}))
		rows.push(row);
	expect(rows).toHaveLength(2);
});

test("pages begin with the one asked for, and what is not read is not fetched", async () => {
	const { list, asked } = createLeads(50);
	const call = { query: { page: 2, per_page: 10 } };
	for await (const { pagination } of pages(list, call))
		if (pagination.page === 3) break;
	expect(asked).toEqual(["2 null", "3 null"]);
});
