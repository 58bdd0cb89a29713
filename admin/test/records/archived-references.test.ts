import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { collectionOf } from "../support/references.ts";
import {
	bodyIn,
	createTableWorld,
	paramsIn,
	rows,
	type TableWorld,
} from "../support/table-world.ts";
import { referringBodyOf } from "../support/valid-body.ts";

/** An equal value is no change (docs/decisions.md#patch), even if it was archived since. */
let api: Api;
let world: TableWorld;
beforeAll(async () => {
	api = await openApi();
	world = await createTableWorld(api, api.seeded.keys.full);
});
afterAll(() => api.close());

/** The collections of records that are archived, each with the operation that brings one back. */
const restoring = new Map(
	rows
		.filter(({ id }) => /^(restore|publish)/.test(id))
		.map((row) => [row.path.slice(0, row.path.indexOf("/{")), row]),
);

const cases = rows
	.filter(({ method }) => method === "PATCH" || method === "PUT")
	.flatMap((row) =>
		Object.keys(referringBodyOf(row) ?? {}).map((member) => {
			const collection = collectionOf(row.path, member);
			const [base = ""] = collection.split("#");
			return { id: row.id, row, member, collection, base };
		}),
	)
	// A record that is archived itself is not changed at all.
	.filter(
		({ row, base }) =>
			restoring.has(base) && !row.path.startsWith(`${base}/{uuid}`),
	);

test("there are such references", () => {
	expect(cases.map(({ id, member }) => `${id} ${member}`)).toEqual(
		expect.arrayContaining([
			"updateLead partnership_uuid",
			"updateTask deal_uuid",
			"setLeadQuote pricing_calculator_uuid",
			"setLeadDistributor distributor_uuid",
			"updateAgreement partnership_uuid",
		]),
	);
});

test.each(cases)(
	"$id keeps an archived $member, and takes no other one",
	async ({ row, member, collection, base }) => {
		const uuid = world.uuids.get(collection) as string;
		const all = { ...bodyIn(world, row, referringBodyOf(row)) };
		const body = row.method === "PUT" ? all : { [member]: uuid };
		const params = paramsIn(world, row);
		const set = () => api.call(row.id, { params, body });
		const first = await set();
		expect(first.status).toBe(row.status);
		await api.request("DELETE", `${base}/${uuid}`);
		const again = await set();
		expect([again.status, again.body]).toEqual([first.status, first.body]);
		if (row.method === "PATCH") {
			await api.call(row.id, { params, body: { [member]: null } });
			const other = await set();
			const isNullable = other.status !== row.status;
			// A mandatory reference was not cleared, so that the archived one is still the current one.
			expect(isNullable ? other.body.error.message : member).toContain(member);
		}
		const { id } = restoring.get(base) as (typeof rows)[number];
		expect((await api.call(id, { params: { uuid } })).status).toBe(200);
	},
);
