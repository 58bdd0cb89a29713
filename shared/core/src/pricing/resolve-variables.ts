import { invalidMembers } from "@partnerwire/contract";
import type {
	FieldConfig,
	PricingCalculatorField,
	PricingValue,
} from "@partnerwire/contract/pricing";
import { isStep } from "../values/decimal.ts";

type Field = Pick<
	PricingCalculatorField,
	"field_type" | "variable_name" | "required" | "field_config"
>;

/** The chosen option of a dropdown or of radio buttons. */
export type ChosenOption = NonNullable<FieldConfig["options"]>[number];

const defaultOf = ({ field_type, field_config }: Field): PricingValue => {
	if (field_type === "checkbox") return field_config.defaultChecked ?? false;
	const isNumber = field_type === "number" || field_type === "slider";
	return isNumber ? (field_config.default ?? null) : null;
};

/** Why a field does not accept a number; undefined if it does. */
export function refuseNumber(
	value: number,
	{ min, max, step }: FieldConfig,
): string | undefined {
	if (typeof min === "number" && value < min) return `must be at least ${min}`;
	if (typeof max === "number" && value > max) return `must be at most ${max}`;
	const base = min ?? 0;
	if (typeof step === "number" && !isStep(value, base, step))
		return `must be ${base} plus a multiple of ${step}`;
	return undefined;
}

const isBlank = (value: PricingValue) => value === null || value === "";

/** Why a field does not accept a value; undefined if it does. */
function refuse(field: Field, value: PricingValue): string | undefined {
	const { field_type, field_config, required } = field;
	if (isBlank(value)) return required ? "is required" : undefined;
	switch (field_type) {
		case "number":
		case "slider":
			return typeof value === "number"
				? refuseNumber(value, field_config)
				: "must be a number";
		case "checkbox":
			return typeof value === "boolean" ? undefined : "must be true or false";
		default:
			return chosenOf(field, value)
				? undefined
				: "must be the value of an option";
	}
}

/** The option with a value. */
export const chosenOf = (
	{ field_config }: Field,
	value: PricingValue | undefined,
): ChosenOption | undefined =>
	field_config.options?.find((option) => option.value === value);

/**
 * The value of every variable: the submitted one, else the field's default. Throws one 400 that names every value that
 * its field does not accept, and every value without a field.
 */
export function resolveVariables(
	fields: readonly Field[],
	submitted: Readonly<Record<string, PricingValue>>,
): Map<string, PricingValue> {
	const variables = new Map<string, PricingValue>();
	const invalid: { field: string; message: string }[] = [];
	const report = (name: string, message: string | undefined) =>
		message && invalid.push({ field: `body/values/${name}`, message });
	for (const field of fields) {
		const name = field.variable_name;
		const chosen = Object.hasOwn(submitted, name) ? submitted[name] : undefined;
		const value = chosen ?? defaultOf(field);
		report(name, refuse(field, value));
		variables.set(name, value === "" ? null : value);
	}
	for (const name of Object.keys(submitted))
		if (!variables.has(name)) report(name, "is no variable of this calculator");
	if (invalid.length > 0) throw invalidMembers(invalid);
	return variables;
}
