import type { OperationId } from "@partnerwire/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { readEvents } from "../support/api-world.ts";
import { createPartner, UNKNOWN_UUID } from "../support/records.ts";

let api: Api;
let partner: { uuid: string; name: string; partner_type: string };
beforeAll(async () => {
	api = await openApi();
	partner = await createPartner(api);
});
afterAll(() => api.close());

const create = async (id: OperationId, body: object) => {
	const answer = await api.call(id, { body });
	expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
	return answer.body;
};
const call = (
	id: OperationId,
	uuid: string,
	{ subUuid = "", ...body }: Record<string, unknown> = {},
) =>
	api.call(id, {
		params: { uuid, subUuid: String(subUuid) },
		...(Object.keys(body).length > 0 && { body }),
	});
const list = async (id: OperationId, query = "") =>
	(await api.call(id, { query })).body;
const labelsOf = ({ data }: { data: Record<string, unknown>[] }) =>
	data.map(({ label, name, title }) => label ?? name ?? title).sort();
/** The audit entry of a record that was changed once. */
const lastAudit = async (uuid: string) => {
	const [entry] = (
		await list("listAuditLog", `?entity_uuid=${uuid}&action=updated`)
	).data;
	return entry;
};

describe("agreements", () => {
	test("an agreement shows its partner and its template, which stays as long as it is named", async () => {
		const template = await create("createAgreementTemplate", {
			label: "Reseller terms",
			content: "Both sides agree.",
		});
		expect(template).toMatchObject({ status: "draft", asset_uuid: null });
		const agreement = await create("createAgreement", {
			label: "Globex 2026",
			partnership_uuid: partner.uuid,
			template_uuid: template.uuid,
			signed_at: "2026-11-27T22:25:01+02:00",
		});
		const { uuid, name, partner_type } = partner;
		expect(agreement).toMatchObject({
			status: "draft",
			partnership: { uuid, name, partner_type },
			template: { uuid: template.uuid, label: "Reseller terms" },
			signed_at: "2026-11-27T20:25:01.000Z",
			expiration_date: null,
		});
		expect((await call("getAgreement", agreement.uuid)).body).toEqual(
			agreement,
		);
		const refused = await call("deleteAgreementTemplate", template.uuid);
		expect(refused.body.error.message).toContain("is used by 1 record");
		await call("updateAgreement", agreement.uuid, { template_uuid: null });
		expect((await lastAudit(agreement.uuid)).changes).toEqual([
			expect.objectContaining({
				field: "template",
				old: "Reseller terms",
				new: null,
			}),
		]);
		const { status } = await call("deleteAgreementTemplate", template.uuid);
		expect(status).toBe(200);
	});

	test("lists take search, status and the parent's uuid", async () => {
		const other = await createPartner(api, { name: "Other" });
		for (const [label, status] of [
			["100% sure", "signed"],
			["Ärger", "draft"],
		])
			await create("createAgreement", {
				label,
				status,
				partnership_uuid: other.uuid,
			});
		const found = async (query: string) =>
			labelsOf(
				await list(
					"listAgreements",
					`?partnership_uuid=${other.uuid}&${query}`,
				),
			);
		expect(await found("")).toEqual(["100% sure", "Ärger"]);
		expect(await found("search=0%25%20S")).toEqual(["100% sure"]);
		expect(await found("search=%C3%A4RG")).toEqual(["Ärger"]);
		expect(await found("status=signed")).toEqual(["100% sure"]);
		const wrong = await api.call("listAgreements", { query: "?status=won" });
		expect(wrong.status).toBe(400);
		const sorted = await list("listAgreements", "?sort=-label&per_page=1");
		expect(sorted.data[0].label).toBe("Ärger");
	});

	test.each([
		[{}, "label"],
		[{ label: "X" }, "partnership_uuid"],
		[{ label: "X", partnership_uuid: UNKNOWN_UUID }, "partnership_uuid"],
		[{ label: " ", partnership_uuid: UNKNOWN_UUID }, "label"],
		[{ label: "X", expiration_date: "2026-02-30" }, "expiration_date"],
	])("%j is refused for %s", async (body, member) => {
		const answer = await api.call("createAgreement", { body });
		expect(answer.status).toBe(400);
		expect(answer.body.error.message).toContain(`body/${member}: `);
	});
});

describe("campaigns", () => {
	test("a campaign does not end before it starts, whichever is written last", async () => {
		const { uuid } = await create("createCampaign", {
			label: "Spring",
			starts_at: "2026-03-01T00:00:00Z",
			ends_at: "2026-03-31T00:00:00Z",
		});
		for (const change of [
			{ ends_at: "2026-02-28T00:00:00Z" },
			{ starts_at: "2026-04-01T00:00:00Z" },
		]) {
			const { status, body } = await call("updateCampaign", uuid, change);
			expect(status).toBe(400);
			expect(body.error.message).toContain("body/ends_at: ");
		}
		const open = await call("updateCampaign", uuid, { ends_at: null });
		expect(open.body.ends_at).toBeNull();
	});

	test("it shows the template of what it sends, which stays as long as it is named", async () => {
		const template = await create("createMarketingTemplate", {
			name: "Spring mail",
			subject: "Hello",
		});
		expect(template).toMatchObject({ type: "email", status: "draft" });
		const { uuid } = template;
		const named = { uuid, label: "Spring mail" };
		const campaign = await create("createCampaign", {
			label: "Mailing",
			template_uuid: uuid,
		});
		expect(campaign.template).toEqual(named);
		expect((await call("deleteMarketingTemplate", uuid)).status).toBe(409);
		await call("updateCampaign", campaign.uuid, { template_uuid: null });
		expect((await call("deleteMarketingTemplate", uuid)).status).toBe(200);
	});

	test("DELETE archives it: it is read, and neither listed nor changed", async () => {
		const { uuid } = await create("createCampaign", { label: "Old" });
		await call("addCampaignPartner", uuid, { partnership_uuid: partner.uuid });
		expect((await call("archiveCampaign", uuid)).status).toBe(200);
		expect((await call("getCampaign", uuid)).body.archived_at).not.toBeNull();
		expect(labelsOf(await list("listCampaigns"))).not.toContain("Old");
		expect(labelsOf(await list("listCampaigns", "?archived=true"))).toEqual([
			"Old",
		]);
		for (const answer of [
			await call("archiveCampaign", uuid),
			await call("updateCampaign", uuid, { label: "New" }),
			await call("addCampaignPartner", uuid, {
				partnership_uuid: partner.uuid,
			}),
			await call("removeCampaignPartner", uuid, { subUuid: partner.uuid }),
		])
			expect(answer.status).toBe(404);
		expect((await call("listCampaignPartners", uuid)).body).toHaveLength(1);
	});

	test("contacts of the audience come once, and go with the contact", async () => {
		const campaign = await create("createCampaign", { label: "Autumn" });
		const contact = await create("createContact", {
			email: "ada@globex.example",
			partnership_uuid: partner.uuid,
		});
		const add = () =>
			call("addCampaignAudienceContact", campaign.uuid, {
				contact_uuid: contact.uuid,
			});
		const item = { uuid: contact.uuid, email: contact.email };
		expect(await readEvents(api, add)).toEqual([]);
		expect((await add()).body).toEqual(item);
		const read = async () =>
			(await call("listCampaignAudience", campaign.uuid)).body;
		expect(await read()).toEqual([item]);
		expect((await lastAudit(campaign.uuid)).changes).toEqual([
			{
				entity: "campaign",
				field: "contact",
				old: null,
				new: contact.email,
				label: "contact",
				ref_uuid: contact.uuid,
			},
		]);
		await call("deleteContact", contact.uuid);
		expect(await read()).toEqual([]);
	});
});

describe("cards", () => {
	test("a card shows who works on it and its tags, and is found by them", async () => {
		const users = await list("listUsers");
		const [user] = users.data;
		const tag = await create("createTag", { label: "Urgent", type: "card" });
		const wrong = await create("createTag", { label: "Hot", type: "lead" });
		const { uuid } = await create("createCard", { title: "Call them" });
		await create("createCard", { title: "Nobody's" });
		await call("addCardAssignee", uuid, { user_uuid: user.uuid });
		await call("addCardTag", uuid, { tag_uuid: tag.uuid });
		await call("addCardPartner", uuid, { partnership_uuid: partner.uuid });
		const refused = await call("addCardTag", uuid, { tag_uuid: wrong.uuid });
		expect(refused.status).toBe(400);
		const { body: card } = await call("getCard", uuid);
		expect(card).toMatchObject({
			tags: [{ uuid: tag.uuid, label: "Urgent" }],
			assigned_users: [{ uuid: user.uuid }],
			status: "to_do",
		});
		for (const query of [
			`?tag_uuids=${tag.uuid}`,
			`?assigned_user_uuid=${user.uuid}`,
			"?search=CALL",
		])
			expect(labelsOf(await list("listCards", query))).toEqual(["Call them"]);
		const inUse = await call("deleteTag", tag.uuid);
		expect(inUse.status).toBe(409);
		// With the card, everything that hangs on it goes.
		await call("deleteCard", uuid);
		expect((await call("deleteTag", tag.uuid)).status).toBe(200);
		expect((await call("listCardTags", uuid)).status).toBe(404);
	});
});
