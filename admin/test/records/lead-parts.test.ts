import { beforeAll, describe, expect, test } from "vitest";
import { readEvents, useApi } from "../support/api-world.ts";
import {
	createLead,
	createPartner,
	createProduct,
	UNKNOWN_UUID,
} from "../support/records.ts";

const api = useApi();
let lead: { uuid: string };
let params: { uuid: string };
beforeAll(async () => {
	const partner = await createPartner(api());
	lead = await createLead(api(), partner.uuid);
	params = { uuid: lead.uuid };
});

describe("quote", () => {
	const line = { label: "Seats", quantity: 3, unit_price: 10.005 };
	const put = (body: object) => api().call("setLeadQuote", { params, body });

	test("is JSON null until there is one, and again after DELETE", async () => {
		const get = async () => (await api().call("getLeadQuote", { params })).body;
		expect(await get()).toBeNull();
		const { body } = await put({ line_items: [line] });
		expect(await get()).toEqual(body);
		await api().call("deleteLeadQuote", { params });
		expect(await get()).toBeNull();
		expect((await api().call("deleteLeadQuote", { params })).status).toBe(404);
	});

	test("totals are sums of rounded lines, half away from zero", async () => {
		const { body } = await put({
			line_items: [line, { label: "Discount", unit_price: -1.005 }],
			discount_total: 1,
			tax_total: 0.5,
		});
		expect(
			body.line_items.map(({ total }: { total: number }) => total),
		).toEqual([30.02, -1.01]);
		expect([body.subtotal, body.total]).toEqual([29.01, 28.51]);
	});

	test.each([
		[
			"line_items/0",
			{ line_items: [{ ...line, quantity: 1e9, unit_price: 1e12 }] },
		],
		[
			"line_items",
			{
				line_items: Array(3).fill({ ...line, quantity: 1, unit_price: -5e11 }),
			},
		],
		[
			"line_items",
			{ discount_total: 1e12, line_items: [{ ...line, unit_price: -1 }] },
		],
	])(
		"what is computed is bounded like what is given: %s",
		async (member, quote) => {
			const { status, body } = await put(quote);
			expect([status, body.error.details]).toEqual([
				400,
				[
					{
						field: `body/${member}`,
						reason: "invalid_value",
						message: "comes to more than 1000000000000",
					},
				],
			]);
		},
	);

	test("the same quote again is no change; it emits lead_updated otherwise", async () => {
		const quote = { quote_number: "Q-1", line_items: [line] };
		const events = (body: object) => readEvents(api(), () => put(body));
		expect(await events(quote)).toEqual([["lead_updated", lead.uuid]]);
		expect(await events(quote)).toEqual([]);
		expect(await events({ quote_number: "Q-2" })).toEqual([
			["lead_updated", lead.uuid],
		]);
	});

	test("a product of nobody is 400 and named", async () => {
		const { uuid } = await createProduct(api());
		const lines = [
			{ ...line, product_uuid: uuid },
			{ ...line, product_uuid: UNKNOWN_UUID },
		];
		const { status, body } = await put({ line_items: lines });
		expect(status).toBe(400);
		expect(body.error.details[0].field).toBe("body/line_items/1/product_uuid");
	});
});

describe("distributor", () => {
	const put = (distributor_uuid: string) =>
		api().call("setLeadDistributor", { params, body: { distributor_uuid } });

	test("is set, shown and removed", async () => {
		const partner_type = "distributor";
		const distributor = await createPartner(api(), { partner_type });
		const shown = { uuid: distributor.uuid, name: "Globex", partner_type };
		const set = () => put(distributor.uuid);
		expect(await readEvents(api(), set)).toEqual([["lead_updated", lead.uuid]]);
		expect(await readEvents(api(), set)).toEqual([]);
		expect((await api().call("getLeadDistributor", { params })).body).toEqual(
			shown,
		);
		expect((await api().call("getLead", { params })).body.distributor).toEqual(
			shown,
		);
		await api().call("removeLeadDistributor", { params });
		expect(
			(await api().call("getLeadDistributor", { params })).body,
		).toBeNull();
		expect((await api().call("removeLeadDistributor", { params })).status).toBe(
			404,
		);
	});

	test("a partner that is no distributor is 400", async () => {
		const { uuid } = await createPartner(api());
		expect((await put(uuid)).body.error.message).toContain(
			"body/distributor_uuid",
		);
	});
});

test("A026 attributions are a bare list in their series, [] when empty, with the members of the spec", async () => {
	const list = async () =>
		(await api().call("listLeadAttributions", { params })).body;
	expect(await list()).toEqual([]);
	const { body: definition } = await api().request("POST", "/v1/attributions", {
		body: { label: "Trade fair" },
	});
	const create = (body: object) =>
		api().call("createLeadAttribution", {
			params,
			body: { attribution_uuid: definition.uuid, ...body },
		});
	const { body: first } = await create({ attributed_date: "2026-02-03" });
	const { body: second } = await create({});
	expect(Object.keys(first).sort()).toEqual([
		"attributed_date",
		"attribution",
		"created_at",
		"series",
		"uuid",
	]);
	expect([first.series, second.series]).toEqual([0, 1]);
	expect(await list()).toEqual([first, second]);
	await api().call("updateLeadAttribution", {
		params: { uuid: lead.uuid, subUuid: first.uuid },
		body: { series: 2 },
	});
	expect((await list()).map(({ uuid }: { uuid: string }) => uuid)).toEqual([
		second.uuid,
		first.uuid,
	]);
});

test("a restored lead is listed again and emits lead_updated; one that is not archived stays as it is", async () => {
	const isListed = async () =>
		(await api().call("listLeads")).body.data.some(
			({ uuid }: { uuid: string }) => uuid === lead.uuid,
		);
	await api().call("archiveLead", { params });
	expect(await isListed()).toBe(false);
	const restore = () => api().call("restoreLead", { params });
	expect(await readEvents(api(), restore)).toEqual([
		["lead_updated", lead.uuid],
	]);
	expect(await isListed()).toBe(true);
	expect(await readEvents(api(), restore)).toEqual([]);
});

test.each(["leads", "deals"])(
	"A079 the requirements of %s name what a create demands",
	async (entity) => {
		const { uuid } = await createPartner(api(), { partner_type: "reseller" });
		const path = `/v1/partner/${uuid}/${entity}/requirements`;
		const { body } = await api().request("GET", path);
		expect(body).toMatchObject({ partnership_uuid: uuid, custom_fields: [] });
		expect(body.partner_type).toBe("reseller");
		const required = body.standard_fields
			.filter((field: { required: boolean }) => field.required)
			.map(({ name }: { name: string }) => name);
		expect(required).toEqual([
			entity === "leads" ? "partnership_uuid" : "lead_uuid",
		]);
	},
);

test("A078 a lead without partnership_uuid is 400 and names it", async () => {
	const { status, body } = await api().call("createLead", { body: {} });
	expect(status).toBe(400);
	expect(body.error.message).toContain("partnership_uuid");
});
