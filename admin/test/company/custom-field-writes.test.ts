import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { readEvents } from "../support/api-world.ts";
import {
	expectRefusal,
	openFieldWorld,
	SURFACE_DELETIONS,
	SURFACE_WRITES,
} from "../support/fields.ts";
import { createIntegration, UNKNOWN_UUID } from "../support/records.ts";
import { countRows } from "../support/row-counts.ts";

let api: Api;
beforeAll(async () => {
	api = await openApi();
});
afterAll(() => api.close());

describe.each(SURFACE_WRITES)("$path of $surface", (row) => {
	test("A133 A134 A143 refuses bad values with a detail for each, and accepts good ones", async () => {
		const world = await openFieldWorld(api, row);
		const record = await world.make();
		const write = (field: { uuid: string }, value: unknown) =>
			row.write(world, record, [field, value]);
		const number = await world.define({ type: "number", label: "Seats" });
		const select = await world.define({
			type: "select",
			options: [{ label: "One" }],
		});
		const several = await world.define({
			type: "multi_select",
			options: [{ label: "Two" }],
		});
		const [{ id }] = select.options;
		for (const [field, value, reason] of [
			[number, { text: "abc" }, "invalid_value"],
			[number, { number: "5" }, "invalid_value"],
			[select, { select: 999_999 }, "invalid_option"],
			[several, { multi_select: [999_999] }, "invalid_option"],
			// An option of another field is missing in this one.
			[several, { multi_select: [id] }, "invalid_option"],
			[{ uuid: UNKNOWN_UUID }, { text: "x" }, "unknown_field"],
		] as const) {
			const answer = await write(field, value);
			const isPathUnknown =
				row.path.includes("{subUuid}") && field.uuid === UNKNOWN_UUID;
			if (isPathUnknown) expect(answer.status).toBe(404);
			else expectRefusal(answer, { [field.uuid]: reason });
		}
		const { body } = await write(number, { text: "abc" });
		expect(body.error.details).toEqual([
			{
				field: number.uuid,
				label: "Seats",
				reason: "invalid_value",
				message: expect.any(String),
			},
		]);
		expect(await world.values(record)).toEqual({});
		expect((await write(number, { number: 5 })).status).toBeLessThan(300);
		expect(await world.values(record)).toEqual({ [number.uuid]: 5 });
	});

	test("A136 A159 a required field with a value is not cleared; other fields do not demand it", async () => {
		const world = await openFieldWorld(api, row);
		const record = await world.make();
		const field = await world.define({ required: true });
		const other = await world.define();
		const write = (to: typeof field, value: unknown) =>
			row.write(world, record, [to, value]);
		expect((await write(other, { text: "x" })).status).toBeLessThan(300);
		// It has no value yet, so there is nothing to clear.
		expect((await write(field, null)).status).toBeLessThan(300);
		expect((await write(field, { text: "answer" })).status).toBeLessThan(300);
		for (const blank of [null, "", [], { text: " \t\n" }, { text: null }])
			expectRefusal(await write(field, blank), {
				[field.uuid]: "required_cannot_blank",
			});
		if (row.path.startsWith("PUT …/custom-fields") && !row.path.includes("sub"))
			expectRefusal(await write(other, { text: "y" }), {
				[field.uuid]: "required_cannot_blank",
			});
		else expect((await write(other, { text: "y" })).status).toBeLessThan(300);
		expect((await world.values(record))[field.uuid]).toEqual({
			text: "answer",
		});
	});

	test("A137 A139 A140 what rules hide or lock is refused", async () => {
		const world = await openFieldWorld(api, row);
		const trigger = await world.define({ type: "boolean" });
		const hidden = await world.define();
		const locked = await world.define();
		await world.rule(trigger, hidden, {
			kind: "visibility",
			operator: "equals",
			trigger_value: true,
		});
		await world.rule(trigger, locked, {
			kind: "set_value",
			operator: "is_blank",
			value: { text: "fixed" },
			lock: true,
		});
		const record = await world.make();
		const write = (to: typeof hidden, value: unknown) =>
			row.write(world, record, [to, value]);
		expect(await world.values(record)).toEqual({
			[locked.uuid]: { text: "fixed" },
		});
		expectRefusal(await write(hidden, { text: "x" }), {
			[hidden.uuid]: "hidden_by_rule",
		});
		expect((await write(locked, { text: "fixed" })).status).toBeLessThan(300);
		for (const value of [{ text: "other" }, null])
			expectRefusal(await write(locked, value), {
				[locked.uuid]: "locked_by_rule",
			});
	});

	test("A141 a field of another kind or partner type is not accessible, and its label not told", async () => {
		const world = await openFieldWorld(api, row);
		const record = await world.make();
		const others = [
			await world.define({ partner_type: "referral" }),
			await world.define({
				category: row.category === "lead" ? "partner" : "lead",
			}),
		];
		for (const field of others) {
			const answer = await row.write(world, record, [field, { text: "x" }]);
			expectRefusal(answer, { [field.uuid]: "not_accessible" });
			expect(JSON.stringify(answer.body)).not.toContain(field.label);
		}
	});

	test("another company's field is unknown", async () => {
		const world = await openFieldWorld(api, row);
		const foreign = await (await openFieldWorld(api, row)).define();
		const record = await world.make();
		const answer = await row.write(world, record, [foreign, { text: "x" }]);
		if (row.path.includes("{subUuid}")) expect(answer.status).toBe(404);
		else expectRefusal(answer, { [foreign.uuid]: "unknown_field" });
	});

	test("A152 a blank is null, or [] of a multi_select", async () => {
		const world = await openFieldWorld(api, row);
		const record = await world.make();
		const text = await world.define();
		const several = await world.define({ type: "multi_select" });
		for (const [field, blank, shown] of [
			[text, { text: "  " }, null],
			[several, { multi_select: [] }, []],
		] as const) {
			await row.write(world, record, [field, blank]);
			expect((await world.values(record))[field.uuid]).toEqual(shown);
		}
	});

	test("what is refused leaves nothing; what is written leaves one audit entry and one event", async () => {
		const world = await openFieldWorld(api, row);
		const { keys } = world;
		await createIntegration(api, {}, { key: keys.full });
		const field = await world.define({
			label: "Colour",
			type: "select",
			options: [{ label: "Red" }],
		});
		const record = await world.make();
		const write = (value: unknown) => row.write(world, record, [field, value]);
		const before = await countRows(api);
		expect((await write({ select: 999_999 })).status).toBe(400);
		expect(await countRows(api)).toEqual(before);

		const select = field.options[0].id;
		const events = await readEvents(api, () => write({ select }));
		expect(events).toEqual([[`${row.event}_updated`, record.uuid]]);
		const log = await api.request(
			"GET",
			`/v1/audit-log?entity_uuid=${record.uuid}&action=updated`,
			{ key: keys.full },
		);
		expect(log.body.data).toHaveLength(1);
		expect(log.body.data[0].changes).toMatchObject([
			{ label: "Colour", old: null, new: "Red", ref_uuid: field.uuid },
		]);
		// The same once more is no change.
		expect(await readEvents(api, () => write({ select }))).toEqual([]);
	});
});

describe.each(SURFACE_DELETIONS)("DELETE $path of $surface", (row) => {
	test("A144 A169 it is checked like a blank, and removes the value", async () => {
		const world = await openFieldWorld(api, row);
		const required = await world.define({ required: true });
		const plain = await world.define();
		const trigger = await world.define();
		const locked = await world.define();
		await world.rule(trigger, locked, {
			kind: "set_value",
			operator: "is_not_blank",
			value: { text: "fixed" },
			lock: true,
		});
		const text = { text: "x" };
		const record = await world.make([
			[required, text],
			[plain, text],
			[trigger, text],
		]);
		const remove = (field: typeof plain) => row.remove(world, record, field);
		expectRefusal(await remove(required), {
			[required.uuid]: "required_cannot_blank",
		});
		expectRefusal(await remove(locked), { [locked.uuid]: "locked_by_rule" });
		expect((await remove(plain)).body).toEqual({ success: true });
		expect(Object.keys(await world.values(record)).sort()).toEqual(
			[required.uuid, trigger.uuid, locked.uuid].sort(),
		);
	});
});
