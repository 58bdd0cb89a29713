import { EVENT_IDS } from "@partnerwire/wire";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
	beginEdit,
	mergeSaved,
	mergeStored,
	toChanged,
} from "../../web/src/lib/edit.ts";
import {
	toLostSecrets,
	toMeanwhile,
	toSettingsChanges,
	toSettingsForm,
} from "../../web/src/lib/settings-form.ts";

const NAMES = ["label", "events", "nested"] as const;
const record = fc.record({
	label: fc.constantFrom("a", "b", "c"),
	events: fc.subarray(["x", "y", "z"]),
	nested: fc.array(fc.record({ id: fc.constantFrom("1", "2") }), {
		maxLength: 2,
	}),
});
type Form = typeof record extends fc.Arbitrary<infer Made> ? Made : never;
/** The events while a form is open: somebody types, or the record changes. */
const step = fc.record({
	isMine: fc.boolean(),
	name: fc.constantFrom(...NAMES),
	to: record,
});
const text = (value: unknown) => JSON.stringify(value);

describe("a form that is open while its record changes", () => {
	test("follows what the user did not touch, keeps what the user wrote, and sends nothing else", () => {
		fc.assert(
			fc.property(record, fc.array(step, { maxLength: 12 }), (first, steps) => {
				let edit = beginEdit(first);
				let live: Form = first;
				/** The user's text, as long as it differs from the stored one. */
				const mine: Partial<Record<keyof Form, string>> = {};
				const theirsAfterMine = new Set<keyof Form>();
				const settle = () => {
					for (const name of NAMES)
						if (mine[name] === text(live[name])) delete mine[name];
				};
				for (const { isMine, name, to } of steps) {
					if (isMine) {
						// Editors change the form in place.
						Object.assign(edit.form, { [name]: to[name] });
						mine[name] = text(to[name]);
						settle();
						continue;
					}
					if (text(live[name]) !== text(to[name]) && name in mine)
						theirsAfterMine.add(name);
					live = { ...live, [name]: to[name] };
					edit = mergeStored(edit, live);
					settle();
					// What was typed meanwhile is noticed when the record changes.
					for (const name of theirsAfterMine)
						if (!(name in mine)) theirsAfterMine.delete(name);
					expect([...edit.meanwhile].sort()).toEqual(
						[...theirsAfterMine].sort(),
					);
				}
				expect([...toChanged(edit)].sort()).toEqual(Object.keys(mine).sort());
				for (const name of NAMES)
					expect(text(edit.form[name])).toBe(mine[name] ?? text(live[name]));
			}),
		);
	});

	test("what is typed while a save is under way is still to be saved", () => {
		const edit = beginEdit({ label: "a", note: "n" });
		edit.form.label = " b ";
		const sent = { ...edit.form };
		edit.form.note = "more";
		const after = mergeSaved(edit, sent, { label: "b", note: "n" });
		expect(after.form).toEqual({ label: "b", note: "more" });
		expect(toChanged(after)).toEqual(["note"]);
		expect(after.meanwhile).toEqual([]);
	});

	test("what is stored does not change with the form", () => {
		const stored = { nested: [{ id: "1" }] };
		const edit = mergeStored(beginEdit(stored), stored);
		(edit.form.nested[0] as { id: string }).id = "2";
		expect([stored, edit.stored]).toEqual([
			{ nested: [{ id: "1" }] },
			{ nested: [{ id: "1" }] },
		]);
		expect(toChanged(edit)).toEqual(["nested"]);
	});
});

describe("the settings of an integration", () => {
	const stored = {
		label: "CRM",
		webhook_url: "https://crm.example/hook",
		event_ids: [...EVENT_IDS],
		configuration: [],
		on_pause: "hold",
		ordering: "record",
		standard_webhooks: false,
		max_per_second: 2.5,
		retry_schedule: [0, 5],
	} as const satisfies Partial<Parameters<typeof toSettingsForm>[0]>;
	const open = () =>
		beginEdit(
			toSettingsForm({
				...stored,
				configuration: [],
				retry_schedule: [...stored.retry_schedule],
			}),
		);

	test("nothing typed is nothing sent; each member is sent as the service takes it", () => {
		const edit = open();
		expect(toSettingsChanges(edit)).toEqual({});
		Object.assign(edit.form, { max_per_second: " ", retry_schedule: "0, x" });
		expect(toSettingsChanges(edit)).toEqual({
			max_per_second: null,
			retry_schedule: [0, " x"],
		});
		for (const name of Object.keys(edit.form)) {
			const one = open();
			Object.assign(one.form, {
				[name]: Array.isArray(Reflect.get(one.form, name)) ? ["x"] : "1",
			});
			expect(Object.keys(toSettingsChanges(one))).toEqual([name]);
		}
	});

	test("what somebody else changed is named, and quoted where that says enough", () => {
		const edit = open();
		expect(toMeanwhile(edit)).toBe("");
		const theirs = {
			...edit.stored,
			label: "ERP",
			max_per_second: "",
			on_pause: "drop" as const,
		};
		Object.assign(edit.form, {
			label: "Mine",
			max_per_second: "3",
			on_pause: "x",
		});
		const said = toMeanwhile(mergeStored(edit, theirs));
		for (const part of [
			"Name (now “ERP”)",
			"Deliveries a second (now empty)",
			"While it is paused",
		])
			expect(said).toContain(part);
		expect(said).not.toContain("Webhook URL");
	});
});

const SECRETIVE = {
	webhook_url: "https://crm.example.com/hook",
	has_api_key: true,
	has_external_settings: true,
};
test.each([
	[{}, ""],
	[{ webhook_url: "https://crm.example.com/v2" }, ""],
	[{ webhook_url: "no URL" }, ""],
	[{ webhook_url: "https://b.example/" }, "API key and the external settings"],
	[{ webhook_url: "https://b.example/", api_key: "new" }, "external settings"],
	[
		{
			webhook_url: "https://b.example/",
			api_key: null,
			external_settings: null,
		},
		"",
	],
])("the changes %j lose: %s", (changes, lost) => {
	const warning = toLostSecrets(SECRETIVE, changes);
	if (lost === "") expect(warning).toBe("");
	else expect(warning).toContain(`Saving removes the ${lost}:`);
	const none = {
		...SECRETIVE,
		has_api_key: false,
		has_external_settings: false,
	};
	expect(toLostSecrets(none, changes)).toBe("");
});
