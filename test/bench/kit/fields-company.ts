import type { ArgumentsOf, CustomField } from "@partnerwire/contract";
import type { Service } from "partnerwire";
import { addSeededCompany } from "./company.ts";

type FieldBody = ArgumentsOf<"createCustomField">["body"];
type RuleBody = Omit<
	ArgumentsOf<"createCustomFieldRule">["body"],
	"trigger_field_uuid" | "target_field_uuid"
>;

const OPTIONS = ["Low", "Middle", "High"].map((label) => ({ label }));

/** The types of the 20 fields for which a lead has a value, and the values. For a choice, the number of its option. */
const GIVEN: readonly (readonly [FieldBody["type"], unknown])[] = [
	["text", { text: "Globex" }],
	["text", { text: "Initech" }],
	["text", { text: "Berlin" }],
	["text", { text: "Renewal" }],
	["textarea", { text: "They asked for a call\nin the second week." }],
	["number", { number: 240 }],
	["number", { number: 12.5 }],
	["number", { number: 0 }],
	["date", { date: "2026-11-27" }],
	["date", { date: "2027-01-31" }],
	["boolean", { boolean: false }],
	["boolean", { boolean: true }],
	["checkbox", { boolean: true }],
	["select", 0],
	["select", 1],
	["select", 2],
	["multi_select", 1],
	["email", { text: "mara.lind@Globex.example" }],
	["website", { text: "globex.example" }],
	["phone", { text: "+44 20 7946 0958" }],
];
const FILLED = 10;

/** Ten rules that show fields, six that set one, and four that map one to another. */
const RULES: readonly RuleBody[] = Array.from({ length: 20 }, (_, at) =>
	at < 10
		? { kind: "visibility", operator: "is_not_blank" }
		: at < 16
			? {
					kind: "set_value",
					operator: "not_equals",
					trigger_value: { text: "Nobody" },
					value: { text: `Rule ${at}` },
					lock: at < 12,
				}
			: {
					kind: "value_map",
					map: {
						Globex: { text: "A" },
						Initech: { text: "B" },
						Berlin: { text: "C" },
						Renewal: { text: "D" },
					},
				},
);

/** Adds a company whose leads have 30 custom fields and 20 rules. Returns the values of a lead. */
export async function addFields(service: Service) {
	const { caller, key, partnershipUuid } = await addSeededCompany(
		service,
		"http://127.0.0.1:9/hook",
	);
	const { core } = service;
	const define = (type: FieldBody["type"], at: number): Promise<CustomField> =>
		core.execute(
			"createCustomField",
			{
				body: {
					label: `Field ${at}`,
					type,
					category: "lead",
					options: type.includes("select") ? OPTIONS : [],
				},
			},
			caller,
		);
	const provided: CustomField[] = [];
	for (const [type] of GIVEN)
		provided.push(await define(type, provided.length));
	const filled: CustomField[] = [];
	for (let at = 0; at < FILLED; at++)
		filled.push(await define("text", 20 + at));
	for (const [at, rule] of RULES.entries()) {
		// A field is shown by another field, and filled by one of the four texts.
		const [trigger, target] =
			at < 10
				? [provided[at], provided[at + 10]]
				: [provided[at % 4], filled[at - 10]];
		const body = {
			...rule,
			trigger_field_uuid: (trigger as CustomField).uuid,
			target_field_uuid: (target as CustomField).uuid,
		};
		await core.execute("createCustomFieldRule", { body }, caller);
	}
	const values = provided.map(({ uuid, type, options }, at) => {
		const value = GIVEN[at]?.[1];
		const option = options[value as number]?.id;
		return {
			uuid,
			value:
				option === undefined
					? value
					: { [type]: type === "select" ? option : [option] },
		};
	});
	return { key, partnershipUuid, values };
}
