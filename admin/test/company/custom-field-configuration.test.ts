import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import type { Answer } from "#kit/program/client.ts";
import { openFieldWorld, SURFACES } from "../support/fields.ts";
import { UNKNOWN_UUID } from "../support/records.ts";

let api: Api;
beforeAll(async () => {
	api = await openApi();
});
afterAll(() => api.close());

const [leads] = SURFACES;
const open = () => openFieldWorld(api, leads);
const at = ({ uuid }: { uuid: string }) => `custom-fields/${uuid}`;
const expectConflict = ({ status, body }: Answer, message: string) => {
	expect([status, body.error?.code]).toEqual([409, "conflict"]);
	expect(body.error.message).toContain(message);
};

const TYPES = [
	"text",
	"textarea",
	"number",
	"date",
	"boolean",
	"checkbox",
	"select",
	"multi_select",
	"email",
	"website",
	"phone",
];

test.each(TYPES)(
	"A158 A160 %s is a type, and carries help text and an http(s) link",
	async (type) => {
		const world = await open();
		const help = { help_text: "How to answer.", link: "https://help.example/" };
		expect(await world.define({ type, ...help })).toMatchObject(help);
		for (const link of ["javascript:alert(1)", "help.example", "https://"]) {
			const body = { label: "x", category: "lead", type, link };
			const answer = await world.send("POST", "custom-fields", body);
			expect(answer.body.error.message).toContain("body/link");
		}
	},
);

test("A025 all of 30 are listed, bare, in their order", async () => {
	const world = await open();
	for (let n = 1; n <= 30; n++) await world.define({ label: `No. ${n}` });
	const { body } = await world.send("GET", "custom-fields?page=2&per_page=5");
	expect(body.map(({ label }: { label: string }) => label)).toEqual(
		Array.from({ length: 30 }, (_, index) => `No. ${index + 1}`),
	);
});

describe("what is in use stays", () => {
	test("A130 A131 a field: 409 with its label and the number of records, until they let go of it", async () => {
		const world = await open();
		const field = await world.define({ label: '__proto__ "12":[' });
		const records = [
			await world.make([[field, { text: '"1":[null' }]]),
			await world.make([[field, { text: "x" }]]),
			// A blank is no use of it.
			await world.make([[field, null]]),
		];
		const remove = () => world.send("DELETE", at(field));
		expectConflict(await remove(), `"${field.label}" is used by 2 records`);
		const retype = { type: "number" };
		expectConflict(
			await world.send("PATCH", at(field), retype),
			"it is used by 2 records",
		);
		for (const record of records.slice(0, 2)) await world.remove(record, field);
		expect((await world.send("PATCH", at(field), retype)).status).toBe(200);
		expect((await remove()).status).toBe(200);
		expect((await remove()).status).toBe(404);
		for (const record of records)
			expect(await world.values(record)).toEqual({});
	});

	test("an option: 409 with the number of records and rules", async () => {
		const world = await open();
		const options = ["A", "B"].map((label) => ({ label }));
		const several = await world.define({ type: "multi_select", options });
		const one = await world.define({ type: "select", options });
		const target = await world.define();
		const [{ id, uuid }] = several.options;
		const record = await world.make([
			[several, { multi_select: [several.options[1].id, id] }],
			[one, { select: one.options[0].id }],
		]);
		await world.rule(one, target, {
			kind: "value_map",
			map: { [one.options[1].id]: { text: "x" } },
		});
		const remove = (field: { uuid: string }, option: string) =>
			world.send("DELETE", `${at(field)}/options/${option}`);
		expectConflict(await remove(several, uuid), '"A" is used by 1 record;');
		expectConflict(
			await remove(one, one.options[0].uuid),
			'"A" is used by 1 record;',
		);
		expectConflict(
			await remove(one, one.options[1].uuid),
			'"B" is used by 1 rule;',
		);
		await world.remove(record, several);
		expect((await remove(several, uuid)).status).toBe(200);
		expectConflict(
			await world.send("POST", `${at(target)}/options`, { label: "x" }),
			"has no options",
		);
	});

	test("a field that rules are about", async () => {
		const world = await open();
		const trigger = await world.define();
		const target = await world.define();
		await world.rule(trigger, target, {
			kind: "visibility",
			operator: "is_blank",
		});
		for (const field of [trigger, target])
			expectConflict(await world.send("DELETE", at(field)), "1 rule");
	});
});

describe("rules", () => {
	test("a circle is a 409, also when it is switched on or moved", async () => {
		const world = await open();
		const [a, b, c] = [
			await world.define({ label: "A" }),
			await world.define({ label: "B" }),
			await world.define({ label: "C" }),
		];
		const rule = { kind: "visibility", operator: "is_blank" };
		await world.rule(a, b, rule);
		const second = await world.rule(b, c, rule);
		const ends = { trigger_field_uuid: c.uuid, target_field_uuid: a.uuid };
		const post = (more: object) =>
			world.send("POST", "custom-field-rules", { ...rule, ...ends, ...more });
		expectConflict(await post({}), '"C" → "A" → "B" → "C"');
		expectConflict(await post({ target_field_uuid: c.uuid }), '"C" → "C"');
		const off = (await post({ active: false })).body;
		const patch = (uuid: string, body: object) =>
			world.send("PATCH", `custom-field-rules/${uuid}`, body);
		expectConflict(await patch(off.uuid, { active: true }), "closes a circle");
		expect((await patch(second.uuid, { active: false })).status).toBe(200);
		expect((await patch(off.uuid, { active: true })).status).toBe(200);
		expectConflict(await patch(second.uuid, { active: true }), "circle");
	});

	test.each<[string, object, string]>([
		["no operator", { kind: "visibility" }, "body/operator"],
		["no trigger value", { operator: "equals" }, "body/trigger_value"],
		[
			"one too many",
			{ operator: "is_blank", trigger_value: 1 },
			"trigger_value",
		],
		["no list", { operator: "in", trigger_value: 1 }, "body/trigger_value"],
		["no value", { kind: "set_value", operator: "is_blank" }, "body/value"],
		[
			"a value of another type",
			{ kind: "set_value", operator: "is_blank", value: 5 },
			"body/value",
		],
		[
			"a value of visibility",
			{ operator: "is_blank", value: { text: "x" } },
			"body/value",
		],
		["a lock of visibility", { operator: "is_blank", lock: true }, "body/lock"],
		["no map", { kind: "value_map" }, "body/map"],
		["an empty map", { kind: "value_map", map: {} }, "body/map"],
		[
			"a key of another type",
			{ kind: "value_map", map: { __proto__x: { text: "x" } } },
			"body/map",
		],
		[
			"an unknown trigger",
			{ operator: "is_blank", trigger_field_uuid: UNKNOWN_UUID },
			"body/trigger_field_uuid",
		],
		[
			"another category",
			{ operator: "is_blank", category: "partner" },
			"body/target_field_uuid",
		],
	])("%s is refused by name", async (_, body, named) => {
		const world = await open();
		const trigger = await world.define({ type: "number" });
		const target = await world.define();
		const answer = await world.send("POST", "custom-field-rules", {
			kind: "visibility",
			trigger_field_uuid: trigger.uuid,
			target_field_uuid: target.uuid,
			...body,
		});
		expect([answer.status, answer.body.error.code]).toEqual([
			400,
			"validation_error",
		]);
		expect(answer.body.error.message).toContain(named);
	});

	test("a rule that is written, changed or deleted rewrites nothing that is stored", async () => {
		const world = await open();
		const trigger = await world.define();
		const target = await world.define();
		const record = await world.make([[trigger, { text: "x" }]]);
		const before = await world.values(record);
		const made = await world.rule(trigger, target, {
			kind: "set_value",
			operator: "is_not_blank",
			value: { text: "auto" },
		});
		expect(await world.values(record)).toEqual(before);
		await world.patch(record, [[trigger, { text: "x" }]]);
		expect(await world.values(record)).toEqual(before);
		await world.patch(record, [[trigger, { text: "y" }]]);
		const filled = await world.values(record);
		expect(filled[target.uuid]).toEqual({ text: "auto" });
		await world.send("DELETE", `custom-field-rules/${made.uuid}`);
		expect(await world.values(record)).toEqual(filled);
	});
});

test("archived records take no values, and come back with what they had", async () => {
	const world = await open();
	const field = await world.define();
	const record = await world.make([[field, { text: "x" }]]);
	await world.send("DELETE", `leads/${record.uuid}`);
	expect((await world.put(record, [])).status).toBe(404);
	expect((await world.remove(record, field)).status).toBe(404);
	const value = {
		custom_field_uuid: field.uuid,
		entity_type: "lead",
		entity_uuid: record.uuid,
		value: null,
	};
	const refused = await world.send("POST", "custom-field-values", value);
	expect(refused.body.error.message).toContain("refers to an archived record");
	await world.send("POST", `leads/${record.uuid}/restore`);
	expect(await world.values(record)).toEqual({ [field.uuid]: { text: "x" } });
});

test("a record of 200 fields under 200 rules", async () => {
	const world = await open();
	const fields: { uuid: string }[] = [];
	for (let n = 0; n < 200; n++)
		fields.push(await world.define({ label: `${n}` }));
	const [first] = fields as [{ uuid: string }];
	for (const target of fields.slice(1))
		await world.rule(first, target, {
			kind: "set_value",
			operator: "is_not_blank",
			value: { text: "filled" },
		});
	const record = await world.make([[first, { text: "go" }]]);
	expect(record.custom_fields).toHaveLength(200);
	const all = fields.map((field) => [field, { text: "é" }] as const);
	expect((await world.put(record, all)).body).toHaveLength(200);
});
