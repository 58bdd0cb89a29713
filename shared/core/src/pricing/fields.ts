import { ApiError, invalidMembers } from "@partnerwire/contract";
import type {
	CalculatorFieldType,
	FieldConfig,
	PricingCalculatorFieldCreate,
	PricingCalculatorFieldUpdate,
} from "@partnerwire/contract/pricing";
import { asc } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import type { Handlers } from "../execute/handlers.ts";
import { createParts } from "../resource/create-parts.ts";
import { foldCase } from "../values/fold-case.ts";
import {
	type CalculatorParts,
	loadParts,
	selectFields,
	toField,
} from "./calculator-view.ts";
import { calculators } from "./calculators.ts";
import { nextSortOrder } from "./next-sort-order.ts";
import { refuseNumber } from "./resolve-variables.ts";
import { refuseUsed } from "./variables.ts";

/** Loads the parts of a calculator. */
export const partsOf = async (
	calculatorUuid: string,
	{ db }: Context,
): Promise<CalculatorParts> =>
	(await loadParts(db, [calculatorUuid]))(calculatorUuid);

/** The contradictions in a field's configuration. Members for other types of fields are kept and not checked. */
function* faultsOf(
	type: CalculatorFieldType,
	config: FieldConfig,
): Generator<[string, string]> {
	if (type === "number" || type === "slider") {
		const { min, max, step, default: usual } = config;
		if (typeof min === "number" && typeof max === "number" && min > max)
			yield ["max", "must be at least min"];
		if (typeof step === "number" && step <= 0)
			yield ["step", "must be more than 0"];
		else if (typeof usual === "number") {
			const fault = refuseNumber(usual, config);
			if (fault) yield ["default", fault];
		}
	}
	const values = config.options?.map(({ value }) => value) ?? [];
	for (const [index, value] of values.entries())
		if (values.indexOf(value) !== index)
			yield [`options/${index}/value`, "is the value of another option too"];
}

function checkConfig(
	type: CalculatorFieldType,
	config: FieldConfig | undefined,
): void {
	const faults = [...faultsOf(type, config ?? {})];
	if (faults.length === 0) return;
	throw invalidMembers(
		faults.map(([member, message]) => ({
			field: `body/field_config/${member}`,
			message,
		})),
	);
}

/** Throws a 409 if another field of the calculator has the variable's name, whatever the letter case. */
function refuseTaken(
	name: string,
	own: string | undefined,
	{ fields }: CalculatorParts,
): void {
	const taken = fields.find(
		({ uuid, variable_name }) =>
			uuid !== own && foldCase(variable_name) === foldCase(name),
	);
	if (!taken) return;
	throw new ApiError(
		"conflict",
		`this calculator already has a variable "${taken.variable_name}"`,
	);
}

const fields = createParts({
	table: "calculatorField",
	entity: "pricing_calculator_field",
	noun: "field",
	parents: calculators,
	column: "calculatorUuid",
	select: selectFields,
	order: ({ tables }) => asc(tables.calculatorField.sortOrder),
	toShown: toField,
	defaults: { required: false, fieldConfig: {} },
	toColumns: async (
		body: PricingCalculatorFieldUpdate & Partial<PricingCalculatorFieldCreate>,
		_,
		{ context, parentUuid, viewed },
	) => {
		const { variable_name: name } = body;
		const type = viewed?.row.fieldType ?? body.field_type;
		if (type) checkConfig(type, body.field_config);
		const parts = await partsOf(parentUuid, context);
		if (name !== undefined && name !== viewed?.row.variableName) {
			refuseTaken(name, viewed?.row.uuid, parts);
			if (viewed) refuseUsed(viewed.row.variableName, parts);
		}
		return {
			label: body.label,
			fieldType: type,
			variableName: name,
			variableKey: name === undefined ? undefined : foldCase(name),
			required: body.required,
			sortOrder:
				body.sort_order ?? (viewed ? undefined : nextSortOrder(parts.fields)),
			fieldConfig: body.field_config,
		};
	},
	removing: async ({ id, calculatorUuid, variableName }, context) => {
		const parts = await partsOf(calculatorUuid, context);
		refuseUsed(variableName, parts);
		const anchored = parts.products.find(
			({ anchor_field_id }) => anchor_field_id === id,
		);
		if (!anchored) return;
		throw new ApiError(
			"conflict",
			`the product "${anchored.product.name}" is anchored to this field; change that first`,
		);
	},
}).handlers;

/** The operations on the fields of a pricing calculator. */
export const calculatorFieldHandlers = {
	listPricingCalculatorFields: fields.list,
	createPricingCalculatorField: fields.create,
	updatePricingCalculatorField: fields.update,
	deletePricingCalculatorField: fields.remove,
} satisfies Partial<Handlers>;
