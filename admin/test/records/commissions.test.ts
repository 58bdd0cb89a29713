import { expect, test } from "vitest";
import { readEvents } from "../support/api-world.ts";
import { percent, useCommissions } from "../support/commission-world.ts";
import { UNKNOWN_UUID } from "../support/records.ts";

const { api, world, params, set, setEntries, read, update, total, ...of } =
	useCommissions();
const { stage, option, scaling } = of;

test("A055 an entry has an integer stage that exists and a calculation whose value is text", async () => {
	const entry = { payment_stage_id: stage(0).id, calculation: percent("7.5") };
	expect(await setEntries(entry)).toEqual([entry]);
	expect(await read()).toEqual({ calculation: { entries: [entry] } });
	const [leadStage] = (await api().call("listLeadStages")).body;
	for (const [wrong, member] of [
		[{ payment_stage_id: 987_654 }, "payment_stage_id"],
		[{ payment_stage_id: leadStage.id }, "payment_stage_id"],
		[{ payment_stage_id: String(stage(0).id) }, "payment_stage_id"],
		[{ payment_stage_id: 1.5 }, "payment_stage_id"],
		[{ calculation: { ...percent("1"), value: 7.5 } }, "calculation/value"],
		[{ calculation: undefined }, "calculation"],
	] as const) {
		const { status, body } = await set({ entries: [{ ...entry, ...wrong }] });
		expect([status, body.error.details[0].field]).toEqual([
			400,
			`body/calculation/entries/0/${member}`,
		]);
	}
	expect(await read()).toEqual({ calculation: { entries: [entry] } });
});

test("A056 the values of tiers and periods are numbers; types and options are those of the spec", async () => {
	const { scalingConfig } = scaling();
	const periods = [
		{
			periodNumber: 1,
			startOccurrence: 1,
			endOccurrence: 2,
			option: "scaling",
			value: 0,
			scalingConfig,
		},
	];
	const recurring = {
		type: "recurring",
		option: "fixed",
		value: "10",
		recurring_period: "weekly",
		number_of_occurrences: 3,
		periodRates: { enabled: true, periods },
	};
	const oneOff = scaling();
	const calculations = [
		percent("1"),
		oneOff,
		recurring,
		{ type: "split", split: { oneOff, recurring } },
	];
	const entries = calculations.map((calculation) => ({
		payment_stage_id: stage(0).id,
		calculation,
	}));
	expect(await setEntries(...entries)).toEqual(entries);
	const [tier] = scalingConfig.tiers;
	const withTier = (wrong: object) => ({
		...scaling(),
		scalingConfig: { ...scalingConfig, tiers: [{ ...tier, ...wrong }] },
	});
	const withField = (customFieldId: unknown) => ({
		...scaling(),
		scalingConfig: { ...scalingConfig, customFieldId },
	});
	const withPeriod = (wrong: object) => ({
		...recurring,
		periodRates: { enabled: true, periods: [{ ...periods[0], ...wrong }] },
	});
	for (const calculation of [
		withTier({ value: "20" }),
		withTier({ option: "percent" }),
		withTier({ optionId: 987_654 }),
		withField(987_654),
		withField(String(world.field.id)),
		withPeriod({ value: "1" }),
		withPeriod({ startOccurrence: 0 }),
		{ ...percent("1"), type: "once" },
		{ ...percent("1"), option: "percent" },
	]) {
		const entry = { payment_stage_id: stage(0).id, calculation };
		expect([calculation, (await set({ entries: [entry] })).status]).toEqual([
			calculation,
			400,
		]);
	}
});

test("the total follows the deal's value, currency and fields; each change is one deal_updated", async () => {
	const changed = async (work: () => Promise<unknown>) => {
		const events = await readEvents(api(), work);
		expect(events).toEqual([["deal_updated", world.deal.uuid]]);
	};
	const entry = { payment_stage_id: stage(0).id };
	const entries = [
		{ ...entry, calculation: percent("7.125") },
		{ ...entry, calculation: scaling() },
	];
	await changed(() => set({ entries }));
	expect(await total()).toBe(71.25);
	expect(await readEvents(api(), () => set({ entries }))).toEqual([]);
	await changed(() => update({ deal_value: 999.99 }));
	expect(await total()).toBe(71.25);
	const setField = (select: number) =>
		update({ custom_fields: [{ uuid: world.field.uuid, value: { select } }] });
	await changed(() => setField(option(0)));
	expect(await total()).toBe(91.25);
	await changed(() => setField(option(1)));
	expect(await total()).toBe(106.25);
	await changed(() =>
		api().call("deleteDealCustomFields", { params: params() }),
	);
	expect(await total()).toBe(71.25);
	await changed(() => set(null));
	expect([await total(), await read()]).toEqual([null, { calculation: null }]);
});

test("A058 an override comes back as it was written, and takes the place of the calculation", async () => {
	const [currency] = world.currencies;
	const { body: asset } = await api().call("createAsset", {
		body: { url: "https://files.example/a.pdf", category: "contract" },
	});
	const override = {
		amount: 12.34,
		currency: { uuid: currency?.uuid, code: currency?.code },
		note: "Agreed by phone",
		document: {
			uuid: asset.uuid,
			file_url: "https://files.example/a.pdf",
			file_name: "a.pdf",
			mime_type: "application/pdf",
		},
	};
	const entry = { payment_stage_id: stage(0).id, calculation: percent("50") };
	const [stored] = await setEntries({ ...entry, override });
	expect(stored.override).toEqual(override);
	expect(await total()).toBe(12.34);
	for (const wrong of [
		{ amount: "12.34" },
		{ amount: -1 },
		{ currency: { uuid: UNKNOWN_UUID, code: "EUR" } },
		{ currency: { ...override.currency, code: "ZZZ" } },
		{ document: { ...override.document, uuid: UNKNOWN_UUID } },
		{ document: { ...override.document, file_url: "javascript:alert(1)" } },
	]) {
		const answer = await set({
			entries: [{ ...entry, override: { ...override, ...wrong } }],
		});
		expect(answer.status).toBe(400);
	}
});

test("what a commission refers to is in use", async () => {
	const { body: own } = await api().call("createDealStage", {
		body: { label: "Paid", partner_type: "referral" },
	});
	await setEntries({ payment_stage_id: own.id, calculation: scaling() });
	// However often a deal refers to a stage or a field, it is one record; another test's deal reads the field too.
	await api().call("updateDeal", {
		params: { uuid: world.deal.uuid },
		body: {
			stage_uuid: own.uuid,
			payment_stage_uuid: own.uuid,
			custom_fields: [{ uuid: world.field.uuid, value: { select: option(1) } }],
		},
	});
	const refusals = [
		await api().call("deleteDealStage", { params: { uuid: own.uuid } }),
		await api().call("deleteCustomField", {
			params: { uuid: world.field.uuid },
		}),
	].map(({ status, body }) => [status, body.error.message]);
	expect(refusals).toEqual([
		[409, expect.stringContaining('"Paid" is used by 1 record;')],
		[409, expect.stringContaining('"Size" is used by 2 records;')],
	]);
	const { body: options } = await api().call("listCustomFieldOptions", {
		params: { uuid: world.field.uuid },
	});
	const subUuid = options[0].uuid;
	const removal = await api().call("deleteCustomFieldOption", {
		params: { uuid: world.field.uuid, subUuid },
	});
	expect(removal.body.error.message).toMatch(/commissions?; reassign/);
	const params = { uuid: world.deal.uuid };
	await api().call("archiveDeal", { params });
	expect((await set(null)).status).toBe(404);
});
