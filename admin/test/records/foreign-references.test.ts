import { getTableName } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import type { Answer, Call } from "#kit/program/client.ts";
import { type IdMember, put } from "../support/id-members.ts";
import { PLANTED, plantNames } from "../support/plant-names.ts";
import { UNKNOWN_UUID } from "../support/records.ts";
import {
	idMembers,
	NO_REFERENCES,
	OF_FIELDS,
	references,
} from "../support/reference-cases.ts";
import { isUuidOfNoRecord, referenceTo } from "../support/references.ts";
import {
	bodyIn,
	createTableWorld,
	FIELDS,
	kindOf,
	paramsIn,
	type Row,
	type TableWorld,
} from "../support/table-world.ts";
import { referringBodyOf } from "../support/valid-body.ts";

/**
 * A body refers to records of its own company, wherever in it the reference is (docs/decisions.md#references-in-a-body): generated
 * from the schemas of all operations, with a second company whose records are tried.
 */
let api: Api;
let own: TableWorld;
let foreign: TableWorld;
/** Select fields of the own company, by category, and a value of the one of leads. */
const selects = new Map<string, Select>();
let valueUuid: string;
let foreignOption: number;
let before: Record<string, string[]>;

interface Select {
	uuid: string;
	options: { id: number }[];
}
const createSelect = async (key: string, category: string): Promise<Select> => {
	const options = [{ label: "Small" }, { label: "Large" }];
	const body = { label: `Size ${category}`, type: "select", category, options };
	const answer = await api.call("createCustomField", { key, body });
	return answer.body;
};

/** Everything that is stored, by table. */
async function readAll() {
	const { query, tables } = api.service.store.read;
	const stored: Record<string, string[]> = {};
	for (const table of Object.values(tables)) {
		const all: object[] = await query.select().from(table);
		stored[getTableName(table)] = all.map((row) => JSON.stringify(row)).sort();
	}
	return stored;
}

beforeAll(async () => {
	api = await openApi();
	const other = await api.addCompany();
	foreign = await createTableWorld(api, other.keys.full);
	const { options } = await createSelect(other.keys.full, "lead");
	foreignOption = options[0]?.id as number;
	await plantNames(api, other.company_uuid);
	own = await createTableWorld(api, api.seeded.keys.full);
	for (const category of ["partner", "lead", "lead_deal"])
		selects.set(category, await createSelect(own.key, category));
	const { body } = await api.call("createCustomFieldValue", {
		body: {
			custom_field_uuid: selects.get("lead")?.uuid,
			entity_type: "lead",
			entity_uuid: own.uuids.get("/v1/leads"),
			value: { select: selects.get("lead")?.options[0]?.id },
		},
	});
	valueUuid = body.uuid;
	before = await readAll();
});
afterAll(() => api.close());

test("every exempt member is still there", () => {
	const places = idMembers.map(({ at }) => at);
	expect(places).toEqual(expect.arrayContaining(Object.keys(NO_REFERENCES)));
	const names = idMembers.map(({ name }) => name);
	expect(names).toEqual(expect.arrayContaining(OF_FIELDS));
	expect(references.filter(({ name }) => isUuidOfNoRecord(name))).toEqual([]);
});

/** Sends a body with one reference that is none, and sees that it is refused like one to nothing. */
async function expectRefused(
	send: (id: string | number) => Promise<Answer>,
	id: string | number,
): Promise<(string | number)[]> {
	const unknown = typeof id === "number" ? 2 ** 40 : UNKNOWN_UUID;
	const [answer, same] = [await send(id), await send(unknown)];
	expect([answer.status, answer.body]).toEqual([400, answer.body]);
	const toText = ({ body }: Answer, sent: string | number) =>
		JSON.stringify(body).replaceAll(new RegExp(`\\b${sent}\\b`, "g"), "ID");
	expect(toText(answer, id), "as unknown as none").toBe(toText(same, unknown));
	expect(JSON.stringify(answer.body)).not.toContain(PLANTED);
	return answer.body.error.details.map(({ field }: { field: string }) => field);
}

/** A record of the other company, of the kind that the member refers to. */
function foreignTo(row: Row, { at, name, inside }: IdMember): string | number {
	const fields = at.startsWith("/custom_fields/") && FIELDS[kindOf(row.path)];
	const found = fields
		? foreign.uuids.get(fields)
		: referenceTo(foreign, row.path, name, inside);
	if (!found) throw new Error(`${row.id}: what is ${at} a reference to?`);
	return found;
}

/** Without them it is another member that is refused first. */
const NEEDED: Partial<Record<string, object>> = {
	evaluatePricingCalculator: { values: { x: 1 } },
};

/** Custom fields are given with a value. */
const withValue = (body: object) =>
	"custom_fields" in body
		? put(body, "/custom_fields/*/value", { text: "x" })
		: body;

/** Bodies with an option's id as the value of a select field, by the member of the id. */
const RULES: Record<string, (option: unknown, own: number) => object> = {
	trigger_value: (option) => ({
		kind: "visibility",
		operator: "in",
		trigger_value: [option],
	}),
	value: (option) => ({
		kind: "set_value",
		operator: "is_not_blank",
		value: option,
	}),
	map: (option, known) => ({ kind: "value_map", map: { [known]: option } }),
	"map's key": (option, known) => ({
		kind: "value_map",
		map: { [`${option}`]: known },
	}),
};

function withOption(row: Row, option: string | number): Call {
	const category = FIELDS[kindOf(row.path)]?.split("#")[1] ?? "lead";
	const { uuid = "" } = selects.get(category) ?? {};
	const value = { select: option };
	const params = paramsIn(own, row);
	if ("subUuid" in params)
		return { params: { ...params, subUuid: uuid }, body: { value } };
	if (row.id === "updateCustomFieldValue")
		return { params: { uuid: valueUuid }, body: { value } };
	const body = { ...bodyIn(own, row, referringBodyOf(row)), value };
	return {
		params,
		body: row.path.startsWith("/v1/custom-field-values")
			? { ...body, custom_field_uuid: uuid }
			: { ...body, custom_fields: [{ uuid, value }] },
	};
}

const ofFields = idMembers.filter(({ name }) => OF_FIELDS.includes(name));
const ofRules = ofFields.filter(({ id }) => id.includes("Rule"));
const ofValues = ofFields.filter((one) => !ofRules.includes(one));

describe("another company's record is as unknown as none", () => {
	test.each(references)("$id $at", async ({ row, ...member }) => {
		const whole = bodyIn(own, row, referringBodyOf(row));
		const params = paramsIn(own, row);
		const id = foreignTo(row, member);
		const fields = await expectRefused((given) => {
			const body = { ...put(whole, member.at, given), ...NEEDED[row.id] };
			return api.call(row.id, { params, body: withValue(body) });
		}, id);
		const name = `body${member.at.replaceAll("*", "0")}`;
		// Refusals of custom fields name the field; a chosen product is an object or its uuid alone.
		const names = [
			name,
			id,
			name.replace(/(selected_products.*)\/uuid$/, "$1"),
		];
		expect(fields.some((field) => names.includes(field))).toBe(true);
	});

	test.each(ofValues)("$id $at, an option", async ({ row }) => {
		const fields = await expectRefused(
			(option) => api.call(row.id, withOption(row, option)),
			foreignOption,
		);
		expect(fields).toHaveLength(1);
	});

	test.each(Object.entries(RULES))(
		"a rule's %s, an option",
		async (_, toBody) => {
			const { uuid, options } = selects.get("lead") as Select;
			const known = options[0]?.id as number;
			const rule = paramsIn(own, ofRules.at(-1)?.row as Row);
			for (const id of [
				"createCustomFieldRule",
				"updateCustomFieldRule",
			] as const) {
				const fields = await expectRefused((option) => {
					const body = {
						trigger_field_uuid: uuid,
						target_field_uuid: uuid,
						lock: false,
						...toBody(option, known),
					};
					return api.call(id, { params: rule, body });
				}, foreignOption);
				expect(fields).toHaveLength(1);
			}
		},
	);

	test("nothing of it was written", async () => {
		expect(await readAll()).toEqual(before);
	});
});
