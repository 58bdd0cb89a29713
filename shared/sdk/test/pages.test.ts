import { OPERATION_IDS, operations } from "@partnerwire/contract";
import { createClient, items, pages } from "@partnerwire/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { LISTS_BY_CREATION } from "../src/routes.generated.ts";

interface Lead {
	readonly uuid: string;
	readonly created_at: string;
}

/** The n-th lead of a list, the oldest last: three of each moment, as the API orders them. */
const toLead = (n: number): Lead => ({
	uuid: String(n).padStart(9, "0"),
	created_at: new Date(9e12 - Math.floor(n / 3)).toISOString(),
});

/** A service with these leads, which may change before each page but the first, and which pages it was asked for. */
function createLeads(
	leads: readonly Lead[],
	change: (leads: Lead[]) => void = () => {},
) {
	const stored = [...leads];
	const asked: { page: number; size: number; search: string | null }[] = [];
	const client = createClient({
		baseUrl: "http://service.example",
		apiKey: "pwk_secret",
		fetch: async (url) => {
			if (asked.length > 0) change(stored);
			const query = new URL(String(url)).searchParams;
			const page = Number(query.get("page") ?? 1);
			const size = Number(query.get("per_page") ?? 25);
			asked.push({ page, size, search: query.get("search") });
			const way = query.get("sort") === "created_at" ? 1 : -1;
			stored.sort(
				(one, other) =>
					way * one.created_at.localeCompare(other.created_at) ||
					one.uuid.localeCompare(other.uuid),
			);
			const total = stored.length;
			return Response.json({
				data: stored.slice((page - 1) * size, page * size),
				pagination: {
					...{ page, per_page: size, total },
					total_pages: Math.ceil(total / size),
				},
			});
		},
	});
	return { client, stored, asked };
}

const LEADS = Array.from({ length: 1000 }, (_, n) => toLead(n));

test.each([
	[0, 1],
	[1, 1],
	[10, 1],
	[11, 2],
	[35, 4],
	[1000, 99],
])("%i leads are read once each, in %i requests", async (total, requests) => {
	const { client, asked } = createLeads(LEADS.slice(0, total));
	const leads: unknown[] = [];
	const call = { query: { search: "x", per_page: 10 } };
	for await (const lead of items(client.listLeads, call)) leads.push(lead);
	expect(leads).toEqual(LEADS.slice(0, total));
	expect(asked).toHaveLength(requests);
	expect(asked[0]).toEqual({ page: 1, size: 10, search: "x" });
	expect(asked.every(({ search }) => search === "x")).toBe(true);
});

describe.each(["created_at", "-created_at", undefined] as const)(
	"in the order %s",
	(sort) => {
		test("a list that others fill and empty while its reader does misses nothing, and gives nothing twice", async () => {
			await fc.assert(
				fc.asyncProperty(
					fc.integer({ min: 0, max: 300 }),
					fc.integer({ min: 1, max: 100 }),
					fc.infiniteStream(
						fc.record({
							archives: fc.boolean(),
							made: fc.integer({ min: 0, max: 3 }),
							removed: fc.integer({ min: 0, max: 3 }),
							place: fc.integer({ min: 0, max: 999 }),
						}),
					),
					async (total, perPage, steps) => {
						let left = 200;
						const gone = new Set<string>();
						const remove = (stored: Lead[], at: number) => {
							for (const { uuid } of stored.splice(at, 1)) gone.add(uuid);
						};
						const before = LEADS.slice(0, total);
						const { client, stored } = createLeads(before, (leads) => {
							const { made, removed, place } = steps.next().value;
							for (let n = 0; n < made && left-- > 0; n++)
								leads.push({
									uuid: `new ${left}`,
									created_at: toLead(place).created_at,
								});
							for (let n = 0; n < removed; n++)
								remove(leads, place % Math.max(1, leads.length));
						});
						const read: string[] = [];
						const query = { per_page: perPage, ...(sort && { sort }) };
						for await (const { uuid } of items(client.listLeads, { query })) {
							read.push(uuid);
							if (steps.next().value.archives)
								remove(
									stored,
									stored.findIndex((lead) => lead.uuid === uuid),
								);
						}
						expect(new Set(read).size).toBe(read.length);
						const missed = before.filter(
							({ uuid }) => !read.includes(uuid) && !gone.has(uuid),
						);
						expect(missed).toEqual([]);
					},
				),
				{ numRuns: 150 },
			);
		});

		test.each([1, 10, 25, 100])(
			"one that its reader empties is read to its end, %i a page, in few requests",
			async (perPage) => {
				const { client, stored, asked } = createLeads(LEADS);
				const query = { per_page: perPage, ...(sort && { sort }) };
				let read = 0;
				for await (const { uuid } of items(client.listLeads, { query })) {
					read++;
					stored.splice(
						stored.findIndex((lead) => lead.uuid === uuid),
						1,
					);
				}
				expect([read, stored]).toEqual([1000, []]);
				expect(asked.length).toBeLessThanOrEqual(2 * (1000 / perPage) + 1);
			},
		);
	},
);

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

test("the records of every list in the order of creation say when that was, and their uuid", () => {
	for (const id of OPERATION_IDS.filter((one) => LISTS_BY_CREATION.has(one))) {
		const { properties } = z.toJSONSchema(operations[id].response, {
			unrepresentable: "any",
			io: "output",
		}) as { properties?: Record<string, { items?: { properties?: object } }> };
		const members = properties?.data?.items?.properties;
		expect(members, id).toHaveProperty("uuid");
		expect(members, id).toHaveProperty("created_at");
	}
	expect(LISTS_BY_CREATION.size).toBeGreaterThan(20);
});

test("pages begin with the one asked for, and what is not read is not fetched", async () => {
	const { client, asked } = createLeads(LEADS);
	const call = { query: { page: 2, per_page: 10 } };
	for await (const { pagination } of pages(client.listLeads, call))
		if (pagination.page === 3) break;
	expect(asked.map(({ page, size }) => [page, size])).toEqual([
		[2, 10],
		[3, 10],
	]);
	for await (const { uuid } of items(client.listLeads, call)) {
		expect(uuid).toBe(LEADS[10]?.uuid);
		break;
	}
});
