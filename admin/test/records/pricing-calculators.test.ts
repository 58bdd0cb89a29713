import { expect, test } from "vitest";
import { CONFIG, useCalculator } from "../support/calculator-world.ts";
import { UNKNOWN_UUID } from "../support/records.ts";

const { api, world, call, addField, addFormula, createCalculator, read } =
	useCalculator();

test("A040 A041 a calculator has its parts, their counts and its currency", async () => {
	const shown = await read();
	for (const part of ["fields", "products", "formulas"])
		expect(shown[part]).toHaveLength(1);
	expect([shown.fields_count, shown.products_count]).toEqual([1, 1]);
	expect(Object.keys(shown.currency).sort()).toEqual(["code", "label", "uuid"]);
	for (const value of Object.values(shown.currency))
		expect(value).toBeTypeOf("string");
	const { body } = await api().call("listPricingCalculators");
	expect(body.data).toEqual([shown]);
});

test("A042 PATCH of one boolean answers the whole object, the rest of it as it was", async () => {
	const { updated_at, ...before } = await read();
	const answer = await call("updatePricingCalculator", {
		available_on_leads: true,
	});
	expect(answer.status).toBe(200);
	expect(answer.body).toMatchObject({ ...before, available_on_leads: true });
	expect(answer.body).toEqual(await read());
});

test("A043 PATCH merges display_settings member by member", async () => {
	const { display_settings: before } = await read();
	const patch = async (display_settings: object) =>
		(await call("updatePricingCalculator", { display_settings })).body
			.display_settings;
	const text = { submitButtonText: "Ask for a quote" };
	expect(await patch(text)).toEqual({ ...before, ...text });
	const periods = {
		billingPeriods: ["monthly", "yearly"],
		periodDiscounts: { yearly: 12.5 },
	};
	expect(await patch(periods)).toEqual({ ...before, ...text, ...periods });
	for (const wrong of [
		{ showDiscounts: "yes" },
		{ billingPeriods: ["weekly"] },
		{ billingPeriods: "monthly" },
		{ periodDiscounts: { yearly: 101 } },
	]) {
		const { status, body } = await call("updatePricingCalculator", {
			display_settings: wrong,
		});
		const [member] = Object.keys(wrong);
		expect(status).toBe(400);
		expect(body.error.message).toContain(`body/display_settings/${member}`);
	}
});

test("A044 PATCH changes neither status nor submission_mode, nor what else the spec leaves out", async () => {
	const before = await read();
	const { status, body } = await call("updatePricingCalculator", {
		status: "live",
		submission_mode: "both",
		display_settings: {
			billingMode: "multiple",
			defaultBillingPeriod: "yearly",
		},
		fields: [],
	});
	expect([status, body]).toEqual([200, before]);
});

test("A046 PATCH of a field answers the field", async () => {
	const { status, body } = await call(
		"updatePricingCalculatorField",
		{ label: "How many seats" },
		world.seats.uuid,
	);
	expect(status).toBe(200);
	expect(Object.keys(body).sort()).toEqual(
		[
			...["id", "uuid", "label", "field_type", "variable_name", "required"],
			...["sort_order", "field_config", "created_at", "updated_at"],
		].sort(),
	);
	expect(body).toMatchObject({ label: "How many seats", field_config: CONFIG });
});

test("A047 a part of another calculator is not found under this one", async () => {
	const other = (await createCalculator()).uuid;
	const update = (id: Parameters<typeof call>[0], subUuid: string) =>
		call(id, { sort_order: 3 }, subUuid, other);
	const answers = [
		await update("updatePricingCalculatorField", world.seats.uuid),
		await update("updatePricingCalculatorProduct", world.item.uuid),
	];
	expect(answers.map(({ status }) => status)).toEqual([404, 404]);
});

test("A048 options have a value, a label and a price modifier; other types are 400", async () => {
	const add = (option: object, variable_name: string) =>
		addField({
			label: "Plan",
			field_type: "dropdown",
			variable_name,
			field_config: { options: [option] },
		});
	const option = { value: "gold", label: "Gold", priceModifier: 12.5 };
	const { body } = await add(option, "plan");
	expect(body.field_config).toEqual({ options: [option] });
	for (const wrong of [{ value: 1 }, { label: null }, { priceModifier: "1" }])
		expect((await add({ ...option, ...wrong }, "other")).status).toBe(400);
	await call("deletePricingCalculatorField", undefined, body.uuid);
});

test("A049 number, slider, dropdown, radio and checkbox are field types", async () => {
	const other = (await createCalculator()).uuid;
	for (const field_type of [
		"number",
		"slider",
		"dropdown",
		"radio",
		"checkbox",
	]) {
		const field = { label: "Any", field_type, variable_name: field_type };
		const { status, body } = await addField(field, other);
		expect([status, body.field_type]).toEqual([201, field_type]);
	}
	for (const wrong of [
		{ field_type: "text" },
		{ variable_name: "2nd" },
		{ variable_name: "a-b" },
	]) {
		const field = { label: "x", field_type: "radio", variable_name: "x" };
		expect((await addField({ ...field, ...wrong }, other)).status).toBe(400);
	}
});

test("A050 anchor_field_id is an integer or null; the product has its seven members", async () => {
	const [shown] = (await read()).products;
	expect(shown.anchor_field_id).toBe(world.seats.id);
	expect(shown.product).toEqual({
		uuid: world.product.uuid,
		name: "Licence",
		sku: "S-1",
		price: 9.5,
		billing_type: "one_time",
		billing_period: null,
		currency_code: null,
	});
	const update = (anchor_field_id: unknown) =>
		call(
			"updatePricingCalculatorProduct",
			{ anchor_field_id },
			world.item.uuid,
		);
	expect((await update(null)).body.anchor_field_id).toBeNull();
	for (const wrong of [world.seats.id + 1000, 1.5, "1"])
		expect((await update(wrong)).status).toBe(400);
	await update(world.seats.id);
});

test("A051 formula_config comes back unchanged", async () => {
	const comparison = {
		kind: "comparison",
		variable_name: "seats",
		operator: ">=",
		value: "10",
	};
	const formula_config = {
		version: 2,
		condition: comparison,
		eligibility_condition: { ...comparison, operator: "!=", value: "" },
		when_true: { mode: "flat", amount: 12.5 },
		when_false: { mode: "percentage", amount: 0 },
		no_charge_when_zero: true,
		quantity_ranges: {
			variable_name: "seats",
			ranges: [{ lower: 0, upper: 9.5, amount: 3 }],
		},
		presentation: {
			group_id: UNKNOWN_UUID,
			group_label: "Discounts",
			visibility: "visible",
			sort_order: 3,
			target_product_uuid: world.item.uuid,
		},
	};
	const { body } = await addFormula({ formula_config });
	expect(body.formula_config).toEqual(formula_config);
	const { formulas } = await read();
	const stored = formulas.find(
		(one: { uuid: string }) => one.uuid === body.uuid,
	);
	expect(stored.formula_config).toEqual(formula_config);
	const product = world.item.uuid;
	const removed = await call(
		"deletePricingCalculatorProduct",
		undefined,
		product,
	);
	expect(removed.status).toBe(409);
	await call("deletePricingCalculatorFormula", undefined, body.uuid);
});

test("publishing makes it live, archiving hides it, and publishing brings it back", async () => {
	const { uuid: of } = await createCalculator({ name: "Cycle" });
	const act = async (id: Parameters<typeof call>[0]) => {
		const { status, body } = await call(id, undefined, "", of);
		expect(status).toBe(200);
		return body.status;
	};
	const found = async (query: string) =>
		(await api().call("listPricingCalculators", { query })).body.pagination
			.total;
	expect(await act("publishPricingCalculator")).toBe("live");
	expect(await act("archivePricingCalculator")).toBe("archived");
	expect(await act("archivePricingCalculator")).toBe("archived");
	expect(await found("?search=cycle")).toBe(0);
	expect(await found("?search=cycle&archived=true")).toBe(1);
	const gone = await call("updatePricingCalculator", { name: "x" }, "", of);
	expect(gone.status).toBe(404);
	const price = await call("evaluatePricingCalculator", {}, "", of);
	expect(price.status).toBe(404);
	expect(await act("publishPricingCalculator")).toBe("live");
	expect(await found("?search=cycle&status=live")).toBe(1);
	await call("deletePricingCalculator", undefined, "", of);
	expect(await found("?search=cycle")).toBe(0);
});

test("a percentage of selected sources needs some, when it is written and afterwards", async () => {
	const rate = {
		name: "VAT on some",
		formula_type: "tax",
		calculation_type: "percentage",
		value: 19,
		percentage_base: "selected_sources",
	};
	const answer = await call("createPricingCalculatorFormula", rate);
	expect(answer.status).toBe(400);
	expect(answer.body.error.message).toContain("body/selected_sources");
});

test("parts with the same place are listed as they are evaluated: the older first", async () => {
	const names = ["B first", "A second", "C third"];
	for (const name of names) {
		api().clock.advance(1);
		const body = {
			name,
			formula_type: "discount",
			calculation_type: "fixed",
			value: 1,
			sort_order: 7,
		};
		expect((await call("createPricingCalculatorFormula", body)).status).toBe(
			201,
		);
	}
	const ofThose = (formulas: { name: string }[]) =>
		formulas.map(({ name }) => name).filter((name) => names.includes(name));
	const params = { uuid: (await read()).uuid };
	const listed = await api().call("listPricingCalculatorFormulas", { params });
	expect(ofThose(listed.body)).toEqual(names);
	expect(ofThose((await read()).formulas)).toEqual(names);
});
