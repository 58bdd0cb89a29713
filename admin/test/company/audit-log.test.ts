import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import {
	createDeal,
	createLead,
	createNote,
	createPartner,
	UNKNOWN_UUID,
} from "../support/records.ts";

let api: Api;
let partner: { uuid: string };
beforeAll(async () => {
	api = await openApi();
	partner = await createPartner(api);
});
afterAll(() => api.close());

const list = async (query: string) =>
	(await api.request("GET", `/v1/audit-log?${query}`)).body;
const entriesOf = async (uuid: string) =>
	(await list(`entity_uuid=${uuid}&sort=created_at`)).data;
const restore = (path: string) => api.request("POST", `${path}/restore`);

test("A167 a deal and its note yield the five actions, with actor and changes", async () => {
	const lead = await createLead(api, partner.uuid);
	const deal = await createDeal(api, lead.uuid);
	const at = `/v1/deals/${deal.uuid}`;
	const steps = [
		() => api.request("PATCH", at, { body: { deal_value: 100 } }),
		() => api.request("DELETE", at),
		() => restore(at),
	];
	for (const step of steps) {
		api.clock.advance(1000);
		await step();
	}
	const entries = await entriesOf(deal.uuid);
	expect(entries.map((entry: { action: string }) => entry.action)).toEqual([
		"created",
		"updated",
		"archived",
		"restored",
	]);
	for (const { entity, actor } of entries)
		expect([entity, actor]).toEqual(["lead_deal", "Mara Lindqvist"]);
	expect(entries[1].changes).toEqual([
		{
			entity: "lead_deal",
			field: "deal_value",
			old: null,
			new: 100,
			label: "deal value",
			ref_uuid: null,
		},
	]);
	const note = await createNote(api, "deals", deal.uuid);
	api.clock.advance(1000);
	await api.request("DELETE", `${at}/notes/${note.uuid}`);
	const [, deleted] = await entriesOf(note.uuid);
	expect(deleted).toMatchObject({ entity: "deal_note", action: "deleted" });
	expect(deleted.changes[0]).toMatchObject({ old: "Call back", new: null });
});

test("A168 a stage shows as its label, tags as theirs", async () => {
	const { body: stages } = await api.request(
		"GET",
		"/v1/partner-stages?partner_type=referral",
	);
	const [first, second] = stages;
	const { uuid } = await createPartner(api, { stage_uuid: first.uuid });
	api.clock.advance(1000);
	const at = `/v1/partners/${uuid}`;
	await api.request("PATCH", at, { body: { stage_uuid: second.uuid } });
	api.clock.advance(1000);
	const tag = await api.request("POST", "/v1/tags", { body: { label: "Key" } });
	const body = { tag_uuid: tag.body.uuid };
	await api.request("POST", `${at}/tags`, { body });
	const [, moved, tagged] = await entriesOf(uuid);
	expect(moved.changes).toEqual([
		{
			entity: "partnership",
			field: "stage",
			old: first.label,
			new: second.label,
			label: "stage",
			ref_uuid: second.uuid,
		},
	]);
	expect(tagged.changes).toMatchObject([
		{ field: "tags", old: [], new: ["Key"] },
	]);
});

test("filters by entity, record, action, actor and days", async () => {
	const { uuid } = await createPartner(api, { name: "Filtered" });
	const only = `entity_uuid=${uuid}`;
	const totalOf = async (query: string) => (await list(query)).pagination.total;
	expect(await totalOf(only)).toBe(1);
	const day = new Date(api.clock()).toISOString().slice(0, 10);
	for (const query of [
		"entity_type=partnership&action=created",
		"actor=mara",
		`actor=${api.seeded.user_uuid}`,
		`start_date=${day}&end_date=${day}`,
	])
		expect([query, await totalOf(`${only}&${query}`)]).toEqual([query, 1]);
	for (const query of [
		"entity_type=lead",
		"action=deleted",
		"actor=nobody",
		`actor=${UNKNOWN_UUID}`,
		"end_date=2020-01-01",
		"start_date=2099-01-01",
	])
		expect([query, await totalOf(`${only}&${query}`)]).toEqual([query, 0]);
	for (const query of ["start_date=2026-02-30", "entity_uuid=x"])
		expect((await list(query)).error.code).toBe("validation_error");
});

test.each(["POST", "PATCH", "PUT", "DELETE"])(
	"A081 %s /audit-log is not offered",
	async (method) => {
		const { status } = await api.request(method, "/v1/audit-log");
		expect(status).toBe(404);
	},
);
