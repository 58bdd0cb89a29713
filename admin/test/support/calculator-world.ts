import { beforeAll, expect } from "vitest";
import type { Api } from "#kit/program/api.ts";
import { useApi } from "./api-world.ts";
import { createProduct } from "./records.ts";

/** A calculator with a field, a product whose quantity is the field's variable, and a discount from 20 on. */
interface World {
	uuid: string;
	seats: { id: number; uuid: string };
	item: { uuid: string };
	product: { uuid: string };
}

/** How the field's values are limited. */
export const CONFIG = { min: 1, max: 100, step: 1, default: 5 };

export function useCalculator() {
	const api = useApi();
	const world = {} as World;

	/** Calls an operation on the calculator, or on a part of it. */
	const call = (
		id: Parameters<Api["call"]>[0],
		body?: object,
		subUuid = "",
		of = world.uuid,
	) =>
		api().call(id, {
			params: { uuid: of, subUuid },
			...(body && { body }),
		});

	const made = async (...given: Parameters<typeof call>) => {
		const answer = await call(...given);
		expect([answer.status, answer.body]).toEqual([201, answer.body]);
		return answer.body;
	};
	const addField = (body: object, of = world.uuid) =>
		call("createPricingCalculatorField", body, "", of);
	const addFormula = (body: object) =>
		call("createPricingCalculatorFormula", {
			name: "Any",
			formula_type: "discount",
			calculation_type: "fixed",
			value: 1,
			...body,
		});
	const createCalculator = (body: object = {}) =>
		made("createPricingCalculator", { name: "Team plan", ...body });
	const read = async () => (await call("getPricingCalculator")).body;

	beforeAll(async () => {
		world.uuid = (await createCalculator()).uuid;
		world.product = await createProduct(api(), { sku: "S-1", price: 9.5 });
		world.seats = await made("createPricingCalculatorField", {
			label: "Seats",
			field_type: "number",
			variable_name: "seats",
			field_config: CONFIG,
		});
		world.item = await made("createPricingCalculatorProduct", {
			product_uuid: world.product.uuid,
			quantity_type: "variable",
			quantity_variable_name: "seats",
			anchor_field_id: world.seats.id,
		});
		await made("createPricingCalculatorFormula", {
			name: "Volume",
			formula_type: "discount",
			calculation_type: "percentage",
			value: 10,
			condition: "seats >= 20",
			selected_sources: [
				{ kind: "product", pricing_calculator_product_uuid: world.item.uuid },
			],
		});
	});

	return {
		api,
		world,
		call,
		made,
		addField,
		addFormula,
		createCalculator,
		read,
	};
}
