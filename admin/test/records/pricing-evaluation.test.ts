import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { useCalculator } from "../support/calculator-world.ts";
import {
	createLead,
	createPartner,
	createProduct,
	UNKNOWN_UUID,
} from "../support/records.ts";

const { api, world, call, made, addField, addFormula, createCalculator } =
	useCalculator();

test("A052 the example of docs/pricing-calculators.md comes out to the cent", async () => {
	const page = readFileSync(
		join(import.meta.dirname, "../../../docs/pricing-calculators.md"),
		"utf8",
	);
	const blocks = [...page.matchAll(/```json\n([\s\S]*?)```/g)];
	const uuids = new Map<string, string>();
	const parsed = (index: number) =>
		JSON.parse(
			(blocks[index]?.[1] ?? "").replace(
				/<([^>]+)>/g,
				(_, name: string) => uuids.get(name) ?? "",
			),
		);
	for (const index of [0, 1]) {
		const { body } = await call("createProduct", parsed(index));
		uuids.set(body.name, body.uuid);
	}
	const { uuid: of } = await made("createPricingCalculator", parsed(2));
	await made("createPricingCalculatorField", parsed(3), "", of);
	for (const index of [4, 5])
		await made("createPricingCalculatorProduct", parsed(index), "", of);
	for (const index of [6, 7])
		await made("createPricingCalculatorFormula", parsed(index), "", of);
	const { status, body } = await call(
		"evaluatePricingCalculator",
		parsed(8),
		"",
		of,
	);
	expect(status).toBe(200);
	expect(body).toMatchObject(parsed(9));
	// The table above the answer says the same numbers.
	const shown = parsed(9);
	for (const total of [
		shown.one_time_total,
		shown.recurring_total,
		shown.total,
	])
		expect(page).toContain(`${total.toFixed(2)} |`);
	expect(blocks).toHaveLength(10);
});

test("A076 an archived product stays on the calculator that uses it, and in its price", async () => {
	const other = (await createCalculator()).uuid;
	const old = await createProduct(api(), { name: "Old", price: 7 });
	const body = { product_uuid: old.uuid };
	await made("createPricingCalculatorProduct", body, "", other);
	const params = { uuid: old.uuid };
	expect((await api().call("archiveProduct", { params })).status).toBe(200);
	const listed = await api().call("listProducts", { query: "?search=Old" });
	expect(listed.body.data).toEqual([]);
	const { body: shown } = await call(
		"getPricingCalculator",
		undefined,
		"",
		other,
	);
	expect(shown.products[0].product).toMatchObject(params);
	const { body: price } = await call(
		"evaluatePricingCalculator",
		{},
		"",
		other,
	);
	expect(price.total).toBe(7);
	const again = await call("createPricingCalculatorProduct", body, "", other);
	expect(again.status).toBe(400);
});

describe("variables", () => {
	test("conditions and names are refused when they are written, unless they can be read", async () => {
		const messages = [
			await addFormula({ condition: "seats >" }),
			await addFormula({ condition: "desks > 3" }),
			await addFormula({
				formula_config: {
					quantity_ranges: { variable_name: "desks", ranges: [] },
				},
			}),
			await addFormula({ selected_product_uuid: UNKNOWN_UUID }),
			await call(
				"updatePricingCalculatorProduct",
				{ quantity_type: "conditional" },
				world.item.uuid,
			),
			await call(
				"updatePricingCalculatorProduct",
				{ quantity_variable_name: "desks" },
				world.item.uuid,
			),
		].map(({ status, body }) => [status, body.error.message]);
		expect(messages).toEqual([
			[400, expect.stringMatching(/^body\/condition: ends where/)],
			[400, expect.stringMatching(/^body\/condition: "desks" is no variable/)],
			[400, expect.stringMatching(/^body\/formula_config\/quantity_ranges/)],
			[400, expect.stringMatching(/^body\/selected_product_uuid/)],
			[400, expect.stringMatching(/^body\/quantity_condition: is required/)],
			[400, expect.stringMatching(/^body\/quantity_variable_name: "desks"/)],
		]);
	});

	test("one in use is not renamed or deleted; a name is there once, whatever its letter case", async () => {
		const rename = await call(
			"updatePricingCalculatorField",
			{ variable_name: "desks" },
			world.seats.uuid,
		);
		expect(rename.status).toBe(409);
		expect(rename.body.error.message).toContain('the formula "Volume"');
		const gone = await call(
			"deletePricingCalculatorField",
			undefined,
			world.seats.uuid,
		);
		expect(gone.status).toBe(409);
		const field = { label: "x", field_type: "number", variable_name: "Seats" };
		expect((await addField(field)).status).toBe(409);
		const used = await call(
			"deletePricingCalculatorProduct",
			undefined,
			world.item.uuid,
		);
		expect(used.status).toBe(409);
		const { body } = await addField({ ...field, variable_name: "desks" });
		const renamed = await call(
			"updatePricingCalculatorField",
			{ variable_name: "tables" },
			body.uuid,
		);
		expect(renamed.body.variable_name).toBe("tables");
		const { status } = await call(
			"deletePricingCalculatorField",
			undefined,
			body.uuid,
		);
		expect(status).toBe(200);
	});
});

describe("a price", () => {
	const evaluate = (body: object) => call("evaluatePricingCalculator", body);
	const refusal = async (body: object) => {
		const answer = await evaluate(body);
		expect(answer.status).toBe(400);
		return answer.body.error.details[0].field;
	};

	test("values are held against their fields, and the default is used where there is none", async () => {
		expect((await evaluate({})).body.total).toBe(47.5);
		expect((await evaluate({ values: { seats: 20 } })).body).toMatchObject({
			subtotal: 190,
			discount_total: 19,
			total: 171,
		});
		for (const wrong of [0, 101, 1.5, "5", true])
			expect(await refusal({ values: { seats: wrong } })).toBe(
				"body/values/seats",
			);
		expect(await refusal({ values: { desks: 1 } })).toBe("body/values/desks");
		expect(await refusal({ selected_products: [UNKNOWN_UUID] })).toBe(
			"body/selected_products/0",
		);
		const chosen = { uuid: world.item.uuid, quantity: 2 };
		expect(await refusal({ selected_products: [chosen] })).toBe(
			"body/selected_products/0/quantity",
		);
		expect(await refusal({ billing_period: "yearly" })).toBe(
			"body/billing_period",
		);
	});

	test("a required blank is 400; options, optional products, periods and free products", async () => {
		const yearly = await createProduct(api(), {
			price: 120,
			billing_type: "recurring",
			billing_period: "yearly",
		});
		const { uuid: of } = await createCalculator({
			display_settings: {
				billingMode: "multiple",
				billingPeriods: ["monthly", "quarterly"],
				periodDiscounts: { quarterly: 5 },
			},
		});
		await addField(
			{
				label: "Plan",
				field_type: "radio",
				variable_name: "plan",
				required: true,
				field_config: {
					options: [
						{ value: "a", label: "A", priceModifier: -1000 },
						{ value: "b", label: "B", priceModifier: 2.5 },
					],
				},
			},
			of,
		);
		const add = (body: object) =>
			made("createPricingCalculatorProduct", body, "", of);
		await add({ product_uuid: yearly.uuid });
		const free = await add({
			product_uuid: world.product.uuid,
			price_override: 0,
			is_optional: true,
			is_included_by_default: false,
			quantity_editable: true,
		});
		const price = async (body: object) =>
			(await call("evaluatePricingCalculator", body, "", of)).body;
		expect((await price({})).error.message).toBe(
			"body/values/plan: is required",
		);
		const b = { values: { plan: "b" } };
		expect(await price(b)).toMatchObject({
			billing_period: "monthly",
			one_time_total: 2.5,
			recurring_total: 10,
			total: 12.5,
			lines: [{ amount: 10 }],
		});
		expect(await price({ ...b, billing_period: "quarterly" })).toMatchObject({
			lines: [{ amount: 30, period_discount: 1.5, total: 28.5 }],
		});
		const selected_products = [{ uuid: free.uuid, quantity: 4 }];
		expect(await price({ ...b, selected_products })).toMatchObject({
			lines: [{ amount: 10 }, { quantity: 4, unit_price: 0, total: 0 }],
		});
		// A modifier takes no more than there is.
		expect(await price({ values: { plan: "a" } })).toMatchObject({
			subtotal: 0,
			total: 0,
		});
	});
});

test("a quote names the calculator that its prices are from", async () => {
	const lead = await createLead(api(), (await createPartner(api())).uuid);
	const params = { uuid: lead.uuid };
	const put = (pricing_calculator_uuid: unknown) =>
		api().call("setLeadQuote", { params, body: { pricing_calculator_uuid } });
	expect((await put(world.uuid)).body.pricing_calculator_uuid).toBe(world.uuid);
	expect((await put(UNKNOWN_UUID)).status).toBe(400);
});
