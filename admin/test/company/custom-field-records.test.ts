import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { expectRefusal, openFieldWorld, SURFACES } from "../support/fields.ts";
import { createIntegration, UNKNOWN_UUID } from "../support/records.ts";
import { countRows } from "../support/row-counts.ts";

let api: Api;
beforeAll(async () => {
	api = await openApi();
});
afterAll(() => api.close());

describe.each(SURFACES)("$surface", (row) => {
	test("A028 PUT …/custom-fields with a read-only key is 403", async () => {
		const world = await openFieldWorld(api, row);
		const record = await world.make();
		const answer = await api.request(
			"PUT",
			`/v1/${row.surface}/${record.uuid}/custom-fields`,
			{ key: world.keys.read, body: { custom_fields: [] } },
		);
		expect([answer.status, answer.body.error.code]).toEqual([403, "forbidden"]);
	});

	test("A135 A146 A149 a create without a visible required field is refused, and leaves nothing", async () => {
		const world = await openFieldWorld(api, row);
		await createIntegration(api, {}, { key: world.keys.full });
		const fields = [
			await world.define({ required: true }),
			await world.define({ required: true, type: "textarea" }),
			await world.define({ required: true, type: "email" }),
		];
		const missing = Object.fromEntries(
			fields.map(({ uuid }) => [uuid, "missing_required"]),
		);
		const before = await countRows(api);
		expectRefusal(await world.create(), missing);
		const blank = fields.map((field) => [field, { text: " \t" }] as const);
		expectRefusal(await world.create(blank), missing);
		expect(await countRows(api)).toEqual(before);
		const answers = fields.map(
			(field) => [field, { text: "a@b.example" }] as const,
		);
		expect((await world.create(answers)).status).toBe(201);
	});

	test("A146 one bad value among good ones refuses the whole create", async () => {
		const world = await openFieldWorld(api, row);
		await createIntegration(api, {}, { key: world.keys.full });
		const good = await world.define();
		const bad = await world.define({ type: "number" });
		const before = await countRows(api);
		const refused = await world.create([
			[good, { text: "x" }],
			[bad, { number: "many" }],
			[{ uuid: UNKNOWN_UUID }, null],
		]);
		expectRefusal(refused, {
			[bad.uuid]: "invalid_value",
			[UNKNOWN_UUID]: "unknown_field",
		});
		expect(await countRows(api)).toEqual(before);
	});

	test("a blank that is stored for the first time is answered as it is read", async () => {
		const world = await openFieldWorld(api, row);
		const field = await world.define();
		const record = await world.make();
		const { status, body } = await world.patch(record, [[field, null]]);
		expect(status).toBe(200);
		const read = await world.send("GET", `${row.surface}/${record.uuid}`);
		expect(body).toEqual(read.body);
		expect(JSON.stringify(body.custom_fields)).toContain(field.uuid);
	});

	test("A137 A139 a hidden field is neither demanded nor taken, unless the same request shows it", async () => {
		const world = await openFieldWorld(api, row);
		const trigger = await world.define({ type: "checkbox" });
		const target = await world.define({ required: true });
		await world.rule(trigger, target, {
			kind: "visibility",
			operator: "equals",
			trigger_value: { boolean: true },
		});
		const text = { text: "x" };
		expect((await world.create()).status).toBe(201);
		expectRefusal(await world.create([[target, text]]), {
			[target.uuid]: "hidden_by_rule",
		});
		expectRefusal(await world.create([[trigger, true]]), {
			[target.uuid]: "missing_required",
		});
		const both = await world.make([
			[target, text],
			[trigger, { boolean: true }],
		]);
		expect(await world.values(both)).toEqual({
			[trigger.uuid]: true,
			[target.uuid]: text,
		});
		// Once hidden again its value is kept, not shown, and may be deleted.
		await world.patch(both, [[trigger, false]]);
		expect(await world.values(both)).toEqual({ [trigger.uuid]: false });
		await world.patch(both, [[trigger, true]]);
		expect((await world.values(both))[target.uuid]).toEqual(text);
		await world.patch(both, [[trigger, false]]);
		expect((await world.remove(both, target)).status).toBe(200);
		await world.patch(both, [[trigger, true]]);
		expect(await world.values(both)).toEqual({ [trigger.uuid]: true });
	});

	test("A147 a required field of a partner type is demanded for that one only", async () => {
		const world = await openFieldWorld(api, row);
		const own = await world.define({
			required: true,
			partner_type: "reseller",
		});
		await world.define({ required: true, partner_type: "referral" });
		expectRefusal(await world.create(), { [own.uuid]: "missing_required" });
		expect((await world.create([[own, { text: "x" }]])).status).toBe(201);
	});

	test("A148 rules fill what nothing was submitted for, and clear it when they stop applying", async () => {
		const world = await openFieldWorld(api, row);
		const trigger = await world.define({
			type: "select",
			options: [{ label: "UK" }, { label: "Germany" }, { label: "Mars" }],
		});
		const [uk, germany, mars] = trigger.options;
		const target = await world.define({ required: true });
		await world.rule(trigger, target, {
			kind: "value_map",
			map: { [uk.id]: { text: "GBP" }, [germany.id]: { text: "EUR" } },
		});
		const shown = async (record: { uuid: string }) =>
			(await world.values(record))[target.uuid];
		const record = await world.make([[trigger, uk.id]]);
		expect(await shown(record)).toEqual({ text: "GBP" });
		await world.patch(record, [[trigger, { select: germany.id }]]);
		expect(await shown(record)).toEqual({ text: "EUR" });
		await world.patch(record, [[trigger, mars.id]]);
		expect(await shown(record)).toBe(undefined);
		// A submitted value stays, whatever the trigger's value is.
		await world.patch(record, [
			[trigger, uk.id],
			[target, { text: "USD" }],
		]);
		await world.patch(record, [[trigger, germany.id]]);
		expect(await shown(record)).toEqual({ text: "USD" });
	});

	test("A150 0 and false are answers; a required checkbox must be checked", async () => {
		const world = await openFieldWorld(api, row);
		const number = await world.define({ type: "number", required: true });
		const boolean = await world.define({ type: "boolean", required: true });
		const checkbox = await world.define({ type: "checkbox", required: true });
		const given = [
			[number, { number: 0 }],
			[boolean, { boolean: false }],
		] as const;
		expectRefusal(await world.create([...given, [checkbox, false]]), {
			[checkbox.uuid]: "missing_required",
		});
		const record = await world.make([...given, [checkbox, true]]);
		expectRefusal(await world.patch(record, [[checkbox, { boolean: false }]]), {
			[checkbox.uuid]: "required_cannot_blank",
		});
	});

	test("two PATCHes of different fields at once both hold", async () => {
		const world = await openFieldWorld(api, row);
		const fields = await Promise.all(
			Array.from({ length: 8 }, () => world.define()),
		);
		const record = await world.make();
		await Promise.all(
			fields.map((field) => world.patch(record, [[field, { text: "x" }]])),
		);
		expect(Object.keys(await world.values(record))).toHaveLength(8);
	});
});
