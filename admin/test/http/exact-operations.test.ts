import { membersOf, type Operation } from "@partnerwire/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { countRows, expectRefused } from "../support/row-counts.ts";
import {
	bodyIn,
	createTableWorld,
	paramsIn,
	type Row,
	rows,
	type TableWorld,
} from "../support/table-world.ts";

let api: Api;
let world: TableWorld;
beforeAll(async () => {
	api = await openApi();
	world = await createTableWorld(api, api.seeded.keys.full);
});
afterAll(() => api.close());

const changing = rows.filter(({ mode }) => mode !== "read");
const exact = changing.filter((row) => row.exact);

/** Members that may be left out, and then mean more than with them. */
function optionalMembers({ query, body }: Operation): string[] {
	return [query, body].flatMap((schema) => {
		const { error } = schema?.safeParse({}) ?? {};
		const required = error?.issues.map(({ path }) => path[0]) ?? [];
		return [...membersOf(schema)].filter((name) => !required.includes(name));
	});
}

/** Operations that a misspelt member cannot harm: they make a new record without it, or change nothing of it. */
const isHarmless = ({ id, method, path }: Row) =>
	method === "PATCH" ||
	(/^(create|add)/.test(id) && !path.includes("replays")) ||
	["pauseIntegration", "testIntegration", "redeliverWebhookEvent"].includes(id);

test("whatever does more when a member is left out is exact", () => {
	const wide = changing.filter(
		(row) => optionalMembers(row).length > 0 && !isHarmless(row),
	);
	const ids = exact.map(({ id }) => id);
	expect(ids).toEqual(expect.arrayContaining(wide.map(({ id }) => id)));
	expect(ids.length).toBeGreaterThanOrEqual(12);
});

/** Operations that are another one, which changes something too, without the id at their end. */
const collections = changing.filter((item) =>
	changing.some(
		({ method, path }) =>
			method === item.method && /^\/\{\w+\}$/.test(item.path.replace(path, "")),
	),
);

describe("an empty id never means all of them", () => {
	test.each(collections)("$id", async (item: Row) => {
		const { subUuid: _, ...params } = paramsIn(world, item);
		const path = item.path.replace(
			/\{(\w+)\}/g,
			(_, name: string) => params[name] ?? "",
		);
		expect(path).toMatch(/\/$/);
		await expectRefused(api, () =>
			api.request(item.method, path, { body: bodyIn(world, item) }),
		);
	});
});

const pathIn = (row: Row) => {
	const params = paramsIn(world, row);
	return row.path.replace(
		/\{(\w+)\}/g,
		(_, name: string) => params[name] ?? "",
	);
};
const misspelt = ["uuid", "Uuids", "dryRun", "filter", "", "__proto__"];

describe.each(exact)("$method $path", (row) => {
	const send = (suffix: string, body: object | undefined) =>
		api.request(row.method, pathIn(row) + suffix, { body });

	test("takes its exact path alone", async () => {
		for (const suffix of ["/", "/?", "/?page=1"])
			await expectRefused(
				api,
				() => send(suffix, bodyIn(world, row)),
				/^path: /,
			);
	});

	test("refuses members and parameters that it does not know, and names them", async () => {
		for (const name of misspelt) {
			const query = `?${encodeURIComponent(name)}=x`;
			await expectRefused(
				api,
				() => send(query, bodyIn(world, row)),
				`query/${name}: is not known here`,
			);
			// Written out: in an object literal `__proto__` is no member.
			const plain = JSON.stringify(bodyIn(world, row) ?? {});
			const body = plain.replace(
				"{",
				`{${JSON.stringify(name)}:["x"]${plain === "{}" ? "" : ","}`,
			);
			await expectRefused(
				api,
				() => api.request(row.method, pathIn(row), { body }),
				`body/${name}: is not known here`,
			);
		}
	});
});

describe("values of custom fields", () => {
	const kinds = exact.filter(
		({ method, path }) =>
			method === "DELETE" && path.endsWith("/custom-fields"),
	);

	test.each(kinds)(
		"$id: an empty set is none, and nothing given is all",
		async (row) => {
			const path = pathIn(row);
			const stored = async () =>
				(await api.request("GET", path)).body.filter(
					({ value }: { value: unknown }) => value !== null,
				).length;
			const before = await countRows(api);
			const had = await stored();
			expect(had).toBeGreaterThan(0);
			for (const body of [{ uuids: [""] }, { uuids: null }, { uuids: "x" }])
				await expectRefused(api, () => api.request("DELETE", path, { body }));
			for (const query of ["?uuids=", "?uuids=,", "?uuids"])
				await expectRefused(api, () => api.request("DELETE", path + query));
			await api.request("DELETE", path, { body: { uuids: [] } });
			expect([await stored(), await countRows(api)]).toEqual([had, before]);
			expect((await api.request("DELETE", path)).status).toBe(200);
			expect(await stored()).toBe(0);
		},
	);
});
