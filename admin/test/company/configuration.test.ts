import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { createDeal, createLead, createPartner } from "../support/records.ts";

let api: Api;
beforeAll(async () => {
	api = await openApi();
});
afterAll(() => api.close());

const KINDS = [
	["deal-stages", { partner_type: "reseller" }],
	["lead-stages", { partner_type: "reseller" }],
	["partner-stages", { partner_type: "reseller" }],
	["tiers", {}],
	["categories", {}],
	["tags", { type: "lead" }],
	["attributions", {}],
] as const;

const make = async (path: string, body: object) =>
	(await api.request("POST", `/v1/${path}`, { body })).body;
const remove = (path: string, uuid: string) =>
	api.request("DELETE", `/v1/${path}/${uuid}`);
const patch = async (path: string, body: object) =>
	expect((await api.request("PATCH", `/v1/${path}`, { body })).status).toBe(
		200,
	);

test.each(KINDS.filter(([path]) => path !== "attributions"))(
	"A025 GET /%s answers all 30 and more, bare, whatever page says",
	async (path, body) => {
		for (let n = 1; n <= 30; n++)
			await make(path, { ...body, label: `No. ${n}` });
		for (const query of ["", "?page=2&per_page=5", "?page=nonsense"]) {
			const { body } = await api.request("GET", `/v1/${path}${query}`);
			expect(body.length).toBeGreaterThanOrEqual(30);
		}
	},
);

test.each(KINDS)("/%s: made, read, changed, deleted", async (path, given) => {
	const made = await make(path, { ...given, label: "Äußere" });
	expect(made).toMatchObject({ ...given, label: "Äußere" });
	await patch(`${path}/${made.uuid}`, { label: "Innere" });
	const { body } = await api.request("GET", `/v1/${path}/${made.uuid}`);
	expect(body).toEqual({ ...made, label: "Innere" });
	expect((await remove(path, made.uuid)).body).toEqual({ success: true });
	expect((await remove(path, made.uuid)).status).toBe(404);
});

test.each(KINDS.filter(([path]) => !path.endsWith("stages")))(
	"/%s: a label is unique, whatever its letter case",
	async (path, given) => {
		await make(path, { ...given, label: "Éclair" });
		const again = await make(path, { ...given, label: "éCLAIR" });
		expect(again.error.code).toBe("conflict");
		expect(again.error.message).toMatch(
			/^another [\w ]+ has the label "éCLAIR"$/,
		);
		const other = await make(path, { ...given, label: "Other" });
		const body = { label: "ÉCLAIR" };
		const at = `/v1/${path}/${other.uuid}`;
		expect((await api.request("PATCH", at, { body })).status).toBe(409);
		const same = { label: "OTHER" };
		expect((await api.request("PATCH", at, { body: same })).status).toBe(200);
	},
);

test("a seeded label is taken too; tags of different types may share one", async () => {
	expect((await make("tiers", { label: "gold" })).error.code).toBe("conflict");
	await make("tags", { label: "Shared", type: "deal" });
	expect(await make("tags", { label: "Shared", type: "card" })).toMatchObject({
		type: "card",
	});
});

test("a stage comes after the others of its partner type, unless its body says where", async () => {
	const stage = await make("deal-stages", {
		label: "Last",
		partner_type: "referral",
		phase: "closed_won",
	});
	const { body } = await api.request(
		"GET",
		"/v1/deal-stages?partner_type=referral",
	);
	expect(body.at(-1)).toEqual(stage);
	expect(Number.isInteger(stage.id)).toBe(true);
	const phase = await make("lead-stages", {
		label: "x",
		partner_type: "referral",
		phase: "discovery",
	});
	expect(phase.error.message).toContain("body/phase");
});

describe("A130 what is in use is not deleted", () => {
	const links = async (path: string, type: string, records: string[]) => {
		const tag = await make("tags", { label: `For ${type}`, type });
		for (const uuid of records)
			await make(`${path}/${uuid}/tags`, { tag_uuid: tag.uuid });
		return tag;
	};

	test.each([
		["partner-stages", "stage_uuid"],
		["tiers", "tier_uuid"],
		["categories", "category_uuid"],
	])(
		"A130 A131 /%s: 409 with label and number, until reassigned",
		async (path, member) => {
			const setting = await make(path, {
				label: "In use",
				partner_type: "referral",
			});
			const body = { [member]: setting.uuid };
			const first = await createPartner(api, body);
			const second = await createPartner(api, body);
			// Archived records still hold it.
			await remove("partners", second.uuid);
			const refused = await remove(path, setting.uuid);
			expect([refused.status, refused.body.error.code]).toEqual([
				409,
				"conflict",
			]);
			expect(refused.body.error.message).toContain(
				'"In use" is used by 2 records',
			);
			await api.request("POST", `/v1/partners/${second.uuid}/restore`);
			await patch(`partners/${first.uuid}`, { [member]: null });
			expect((await remove(path, setting.uuid)).body.error.message).toContain(
				"1 record;",
			);
			await patch(`partners/${second.uuid}`, { [member]: null });
			expect((await remove(path, setting.uuid)).status).toBe(200);
		},
	);

	test("A130 A131 tags, deal stages and attributions count leads and deals", async () => {
		const partner = await createPartner(api);
		const lead = await createLead(api, partner.uuid);
		const deal = await createDeal(api, lead.uuid);
		const tag = await links("leads", "lead", [lead.uuid]);
		expect((await remove("tags", tag.uuid)).body.error.message).toContain(
			'the tag "For lead" is used by 1 record;',
		);
		await remove(`leads/${lead.uuid}/tags`, tag.uuid);
		expect((await remove("tags", tag.uuid)).status).toBe(200);

		const stage = await make("deal-stages", {
			label: "Twice",
			partner_type: "referral",
		});
		const twice = { stage_uuid: stage.uuid, payment_stage_uuid: stage.uuid };
		await patch(`deals/${deal.uuid}`, twice);
		expect(
			(await remove("deal-stages", stage.uuid)).body.error.message,
		).toContain('the deal stage "Twice" is used by 1 record;');

		const attribution = await make("attributions", { label: "Fair" });
		for (const series of [1, 2])
			await make(`leads/${lead.uuid}/attributions`, {
				attribution_uuid: attribution.uuid,
				series,
			});
		const held = await remove("attributions", attribution.uuid);
		expect(held.body.error.message).toContain('"Fair" is used by 1 record;');
	});
});

test("currencies, users and attributions are enveloped", async () => {
	for (const path of ["currencies", "users", "attributions"]) {
		const { body } = await api.request("GET", `/v1/${path}?per_page=1`);
		expect(body.pagination.per_page).toBe(1);
	}
	const { body } = await api.request("GET", "/v1/currencies?search=eur");
	expect(body.data).toMatchObject([{ code: "EUR", is_default: true }]);
});
