import {
	afterAll,
	beforeAll,
	beforeEach,
	describe,
	expect,
	test,
} from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import {
	createIntegration,
	createLead,
	createPartner,
} from "../support/records.ts";

let api: Api;
let partner: { uuid: string; name: string };

beforeAll(async () => {
	api = await openApi();
});
afterAll(() => api.close());
beforeEach(async () => {
	partner = await createPartner(api);
});

const post = (path: string, body: object = {}) =>
	api.request("POST", `/v1${path}`, { body });
const get = async (path: string) =>
	(await api.request("GET", `/v1${path}`)).body;
const patch = (path: string, body: object) =>
	api.request("PATCH", `/v1${path}`, { body });
const remove = (path: string) => api.request("DELETE", `/v1${path}`);
const firstOf = async (path: string) => {
	const body = await get(path);
	return (body.data ?? body)[0];
};

describe("contacts", () => {
	const at = () => `/partners/${partner.uuid}/contacts`;
	const mara = { email: "Mara@x.example", first_name: "Mara" };

	test("A072 the list of contacts can be restricted to a partner and searched", async () => {
		const other = await createPartner(api, { name: "Hooli" });
		const { body: contact } = await post(at(), mara);
		await post("/contacts", {
			email: "b@x.example",
			partnership_uuid: other.uuid,
		});
		const { data, pagination } = await get(
			`/contacts?partnership_uuid=${partner.uuid}`,
		);
		expect(data).toEqual([contact]);
		expect(pagination.total).toBe(1);
		expect(contact.partnership).toEqual({
			uuid: partner.uuid,
			name: partner.name,
			partner_type: "referral",
		});
		const found = await get(
			`/contacts?search=MARA@&partnership_uuid=${partner.uuid}`,
		);
		expect(found.data).toEqual([contact]);
		expect(await get(at())).toEqual([contact]);
	});

	test("A073 the list answers with and without its slash", async () => {
		for (const path of ["/contacts", "/contacts/", "/contacts/?page=1"])
			expect((await get(path)).pagination.page).toBe(1);
	});

	test("A030 a malformed partnership_uuid is a 400 that names it", async () => {
		const { error } = await get("/contacts?partnership_uuid=nonsense");
		expect(error.code).toBe("validation_error");
		expect(error.message).toContain("query/partnership_uuid");
	});

	test("an e-mail is unique per partner, whatever its letter case", async () => {
		await post(at(), mara);
		const again = await post(at(), { email: "MARA@X.example" });
		expect([again.status, again.body.error.code]).toEqual([409, "conflict"]);
		const other = await createPartner(api);
		const elsewhere = { ...mara, partnership_uuid: other.uuid };
		expect((await post("/contacts", elsewhere)).status).toBe(201);
		const { body: second } = await post(at(), { email: "c@x.example" });
		const taken = await patch(`/contacts/${second.uuid}`, {
			email: mara.email,
		});
		expect(taken.status).toBe(409);
	});

	test("a contact of another partner is not found under this one", async () => {
		const other = await createPartner(api);
		const { body } = await post(`/partners/${other.uuid}/contacts`, mara);
		expect((await patch(`${at()}/${body.uuid}`, mara)).status).toBe(404);
		expect((await remove(`${at()}/${body.uuid}`)).status).toBe(404);
	});

	test("a deleted contact leaves the leads that it was on", async () => {
		const { body: contact } = await post(at(), mara);
		const lead = await createLead(api, partner.uuid);
		await post(`/leads/${lead.uuid}/contacts`, { contact_uuid: contact.uuid });
		expect((await get(`/leads/${lead.uuid}`)).contacts).toHaveLength(1);
		expect((await remove(`/contacts/${contact.uuid}`)).status).toBe(200);
		expect((await get(`/leads/${lead.uuid}`)).contacts).toEqual([]);
		expect((await remove(`/contacts/${contact.uuid}`)).status).toBe(404);
	});
});

describe("resellers", () => {
	test("A077 a reseller leaves its distributor and still exists", async () => {
		const distributor = await createPartner(api, {
			partner_type: "distributor",
		});
		const reseller = await createPartner(api, { partner_type: "reseller" });
		const at = `/partners/${distributor.uuid}/resellers`;
		const added = await post(at, { reseller_uuid: reseller.uuid });
		const { uuid, name, partner_type } = reseller;
		expect([added.status, added.body]).toEqual([
			200,
			{ uuid, name, partner_type },
		]);
		expect(await get(at)).toEqual([added.body]);
		expect((await post(at, { reseller_uuid: uuid })).status).toBe(409);
		const type = await patch(`/partners/${uuid}`, { partner_type: "referral" });
		expect(type.status).toBe(409);
		expect((await remove(`${at}/${uuid}`)).body).toEqual({ success: true });
		expect((await remove(`${at}/${uuid}`)).status).toBe(404);
		expect((await get(`/partners/${uuid}`)).archived_at).toBeNull();
	});

	test("an archived distributor keeps its resellers, and the 409 says so", async () => {
		const [archived, other] = await Promise.all(
			[1, 2].map(() => createPartner(api, { partner_type: "distributor" })),
		);
		const { uuid } = await createPartner(api, { partner_type: "reseller" });
		const link = (distributor: { uuid: string } | undefined) =>
			post(`/partners/${distributor?.uuid}/resellers`, { reseller_uuid: uuid });
		await link(archived);
		const held = async () => (await link(other)).body.error.message;
		expect(await held()).toMatch(/already has the distributor "/);
		await remove(`/partners/${archived?.uuid}`);
		expect(await held()).toMatch(/already has the archived distributor "/);
	});

	test.each([
		["reseller", "reseller"],
		["distributor", "referral"],
	])("a %s does not take a %s", async (parent, child) => {
		const above = await createPartner(api, { partner_type: parent });
		const below = await createPartner(api, { partner_type: child });
		const answer = await post(`/partners/${above.uuid}/resellers`, {
			reseller_uuid: below.uuid,
		});
		expect(answer.status).toBe(409);
	});
});

describe("tags, users and stages", () => {
	const tagOf = async (type: string, label: string) =>
		(await post("/tags", { label, type })).body as { uuid: string };

	test("records show their tags and users, and lists filter by them", async () => {
		const tag = await tagOf("partner", "Nordic");
		const user = await firstOf("/users");
		const at = `/partners/${partner.uuid}`;
		const added = await post(`${at}/tags`, { tag_uuid: tag.uuid });
		const ref = { uuid: tag.uuid, label: "Nordic" };
		expect([added.status, added.body]).toEqual([200, ref]);
		await post(`${at}/users`, { user_uuid: user.uuid });
		const shown = await get(at);
		expect(shown.tags).toEqual([ref]);
		expect(shown.assigned_users[0]).toMatchObject({ email: user.email });
		const query = `?tag_uuids=${tag.uuid}&assigned_user_uuid=${user.uuid}`;
		expect((await get(`/partners${query}`)).data).toEqual([shown]);
		await remove(`${at}/tags/${tag.uuid}`);
		expect((await get(`/partners${query}`)).data).toEqual([]);
		expect((await remove(`${at}/tags/${tag.uuid}`)).status).toBe(404);
	});

	test("the event of a link shows the record with it", async () => {
		await createIntegration(api, { event_ids: ["lead_updated"] });
		const lead = await createLead(api, partner.uuid);
		const tag = await tagOf("lead", "Hot");
		const user = await firstOf("/users");
		await post(`/leads/${lead.uuid}/tags`, { tag_uuid: tag.uuid });
		api.clock.advance(1000);
		await post(`/leads/${lead.uuid}/users`, { user_uuid: user.uuid });
		const { query, tables } = api.service.store.read;
		const events = await query.select().from(tables.event);
		expect(events).toHaveLength(2);
		const shown = await get(`/leads/${lead.uuid}`);
		expect(JSON.parse(events[1]?.entity ?? "")).toMatchObject({
			tags: [{ uuid: tag.uuid, label: "Hot" }],
			assigned_users: [{ uuid: user.uuid }],
			updated_at: shown.updated_at,
		});
	});

	test("a tag that is there already is added without a change", async () => {
		const tag = await tagOf("partner", "Twice");
		const at = `/partners/${partner.uuid}`;
		await post(`${at}/tags`, { tag_uuid: tag.uuid });
		const before = await get(at);
		api.clock.advance(1000);
		const again = await post(`${at}/tags`, { tag_uuid: tag.uuid });
		expect(again.status).toBe(200);
		expect(await get(at)).toEqual(before);
	});

	test("a tag of another kind of record is a 400 that names the member", async () => {
		const tag = await tagOf("lead", "For leads");
		const { body } = await post(`/partners/${partner.uuid}/tags`, {
			tag_uuid: tag.uuid,
		});
		expect(body.error.message).toContain("body/tag_uuid");
	});

	test("a partner is at one stage: adding one takes the place of the one before", async () => {
		const [first, second] = await get("/partner-stages?partner_type=referral");
		const at = `/partners/${partner.uuid}/stages`;
		await post(at, { stage_uuid: first.uuid });
		await post(at, { stage_uuid: second.uuid });
		const { uuid, label } = second;
		expect(await get(at)).toEqual([{ uuid, label }]);
		expect((await remove(`${at}/${first.uuid}`)).status).toBe(404);
		expect((await remove(`${at}/${uuid}`)).status).toBe(200);
		expect((await get(`/partners/${partner.uuid}`)).stage).toBeNull();
	});
});

test("A080 GET /partners is enveloped; an archived partner is restored as it was", async () => {
	const at = `/partners/${partner.uuid}`;
	const { body: note } = await post(`${at}/notes`, { content: "Met in Leeds" });
	await remove(at);
	expect((await post(`${at}/notes`, { content: "x" })).status).toBe(404);
	const archived = await get("/partners?archived=true");
	expect(archived.data[0].uuid).toBe(partner.uuid);
	const restored = await post(`${at}/restore`);
	expect(restored.body).toMatchObject({
		uuid: partner.uuid,
		archived_at: null,
	});
	expect((await post(`${at}/restore`)).body).toEqual(restored.body);
	expect(await get(`${at}/notes`)).toEqual([note]);
});

test("A008 partner_type is one of three", async () => {
	for (const partner_type of ["referral", "reseller", "distributor"])
		await createPartner(api, { partner_type });
	for (const partner_type of ["Referral", "vendor", "", null]) {
		const { body } = await post("/partners", { name: "x", partner_type });
		expect(body.error.message).toContain("body/partner_type");
	}
});
