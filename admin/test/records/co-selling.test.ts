import { and, eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { readEvents, useApi } from "../support/api-world.ts";
import {
	createDeal,
	createLead,
	createPartner,
	UNKNOWN_UUID,
} from "../support/records.ts";

const api = useApi();
let primary: { uuid: string };
let supporting: { uuid: string };
let contacts: string[];
beforeAll(async () => {
	primary = await createPartner(api(), { name: "Primary" });
	supporting = await createPartner(api(), { name: "Supporting" });
	contacts = [
		await addContact(supporting.uuid, "a@x.example"),
		await addContact(supporting.uuid, "b@x.example"),
	].sort();
});

/** Contacts have operations of their own; here they are only needed. */
async function addContact(partnershipUuid: string, email: string) {
	const answer = await api().request(
		"POST",
		`/v1/partners/${partnershipUuid}/contacts`,
		{ body: { email } },
	);
	expect(answer.status).toBe(201);
	return answer.body.uuid as string;
}

const add = (deal: string, partnership_uuid = supporting.uuid) =>
	api().call("addDealPartner", {
		params: { uuid: deal },
		body: { partnership_uuid },
	});
const remove = (deal: string, partner = supporting.uuid) =>
	api().call("removeDealPartner", {
		params: { uuid: deal, subUuid: partner },
	});
const partnersOf = async (uuid: string) =>
	(await api().call("listDealPartners", { params: { uuid } })).body.map(
		(partner: { uuid: string }) => partner.uuid,
	);
const contactsOf = async (uuid: string) =>
	(await api().call("listLeadContacts", { params: { uuid } })).body
		.map((contact: { uuid: string }) => contact.uuid)
		.sort();
const newLead = () => createLead(api(), primary.uuid);
const newDeal = (lead: { uuid: string }) => createDeal(api(), lead.uuid);

test("A059 A060 a removed partner is gone from the deal, and its contacts from the lead", async () => {
	const lead = await newLead();
	const deal = await newDeal(lead);
	const added = await add(deal.uuid);
	expect([added.status, added.body.uuid]).toEqual([201, supporting.uuid]);
	expect(await partnersOf(deal.uuid)).toEqual([supporting.uuid]);
	expect(await contactsOf(lead.uuid)).toEqual(contacts);
	const removed = await remove(deal.uuid);
	expect([removed.status, removed.body]).toEqual([200, { success: true }]);
	expect(await partnersOf(deal.uuid)).toEqual([]);
	expect(await contactsOf(lead.uuid)).toEqual([]);
});

test("A061 with two deals of a lead the contacts stay until the second removal", async () => {
	const lead = await newLead();
	const [one, two] = [await newDeal(lead), await newDeal(lead)];
	await add(one.uuid);
	await add(two.uuid);
	await remove(one.uuid);
	expect(await contactsOf(lead.uuid)).toEqual(contacts);
	await remove(two.uuid);
	expect(await contactsOf(lead.uuid)).toEqual([]);
});

test("A061 an archived deal keeps its supporting partners, so their contacts stay on the lead", async () => {
	const lead = await newLead();
	const [one, two] = [await newDeal(lead), await newDeal(lead)];
	await add(one.uuid);
	await add(two.uuid);
	await api().call("archiveDeal", { params: { uuid: one.uuid } });
	await remove(two.uuid);
	expect(await contactsOf(lead.uuid)).toEqual(contacts);
	await api().call("restoreDeal", { params: { uuid: one.uuid } });
	expect(await partnersOf(one.uuid)).toEqual([supporting.uuid]);
	await remove(one.uuid);
	expect(await contactsOf(lead.uuid)).toEqual([]);
});

test("A062 a deal of another lead keeps that lead's contacts", async () => {
	const [first, second] = [await newLead(), await newLead()];
	const [one, two] = [await newDeal(first), await newDeal(second)];
	await add(one.uuid);
	await add(two.uuid);
	await remove(one.uuid);
	expect(await contactsOf(first.uuid)).toEqual([]);
	expect(await contactsOf(second.uuid)).toEqual(contacts);
});

test("A063 the contacts of other partners on the lead are untouched", async () => {
	const lead = await newLead();
	const deal = await newDeal(lead);
	const other = await addContact(primary.uuid, "c@x.example");
	const params = { uuid: lead.uuid };
	await api().call("addLeadContact", { params, body: { contact_uuid: other } });
	await add(deal.uuid);
	await remove(deal.uuid);
	expect(await contactsOf(lead.uuid)).toEqual([other]);
});

test("A066 an unknown or archived deal, and a partner that does not support it, are 404", async () => {
	const deal = await newDeal(await newLead());
	const statusOf = async (uuid: string, partner?: string) =>
		(await remove(uuid, partner)).status;
	expect(await statusOf(UNKNOWN_UUID)).toBe(404);
	expect(await statusOf(deal.uuid)).toBe(404);
	expect(await statusOf(deal.uuid, UNKNOWN_UUID)).toBe(404);
	await add(deal.uuid);
	expect(await statusOf(deal.uuid)).toBe(200);
	expect(await statusOf(deal.uuid)).toBe(404);
	await add(deal.uuid);
	await api().call("archiveDeal", { params: { uuid: deal.uuid } });
	expect(await statusOf(deal.uuid)).toBe(404);
});

test("A065 the primary partner cannot be removed: 404, and the deal keeps it", async () => {
	const deal = await newDeal(await newLead());
	expect((await remove(deal.uuid, primary.uuid)).status).toBe(404);
	const { body } = await api().call("getDeal", { params: { uuid: deal.uuid } });
	expect(body.partner.uuid).toBe(primary.uuid);
});

test("the primary partner, and one that supports the deal already, are 409", async () => {
	const deal = await newDeal(await newLead());
	expect((await add(deal.uuid, primary.uuid)).body.error.code).toBe("conflict");
	await add(deal.uuid);
	expect((await add(deal.uuid)).body.error.code).toBe("conflict");
	expect(await partnersOf(deal.uuid)).toEqual([supporting.uuid]);
});

test("an unknown partner or role is 400 and names both", async () => {
	const deal = await newDeal(await newLead());
	const { body } = await api().call("addDealPartner", {
		params: { uuid: deal.uuid },
		body: { partnership_uuid: UNKNOWN_UUID, role_uuid: UNKNOWN_UUID },
	});
	expect(body.error.code).toBe("validation_error");
	expect(body.error.message).toMatch(/body\/partnership_uuid.*body\/role_uuid/);
});

test("a role is shown with the partner, and not deleted while a deal uses it", async () => {
	const deal = await newDeal(await newLead());
	const { body: role } = await api().call("createPartnerRole", {
		body: { label: "Referrer" },
	});
	const added = await api().call("addDealPartner", {
		params: { uuid: deal.uuid },
		body: { partnership_uuid: supporting.uuid, role_uuid: role.uuid },
	});
	expect(added.body.role).toEqual({ uuid: role.uuid, label: "Referrer" });
	const deleteRole = () =>
		api().call("deletePartnerRole", { params: { uuid: role.uuid } });
	const refused = await deleteRole();
	expect(refused.body.error.code).toBe("conflict");
	expect(refused.body.error.message).toMatch(/"Referrer".* 1 record/);
	await remove(deal.uuid);
	expect((await deleteRole()).status).toBe(200);
});

test("both removals and additions emit deal_updated, and lead_updated only when contacts came or left", async () => {
	const lead = await newLead();
	const [one, two] = [await newDeal(lead), await newDeal(lead)];
	const events = (work: () => Promise<unknown>) => readEvents(api(), work);
	expect(await events(() => add(one.uuid))).toEqual([
		["deal_updated", one.uuid],
		["lead_updated", lead.uuid],
	]);
	expect(await events(() => add(two.uuid))).toEqual([
		["deal_updated", two.uuid],
	]);
	expect(await events(() => remove(two.uuid))).toEqual([
		["deal_updated", two.uuid],
	]);
	expect(await events(() => remove(one.uuid))).toEqual([
		["deal_updated", one.uuid],
		["lead_updated", lead.uuid],
	]);
	expect(await events(() => remove(one.uuid))).toEqual([]);
});

test("A005 A067 without the module every operation on supporting partners is 403 module_disabled, also for an unknown deal", async () => {
	const { store } = api().service;
	const { companyModule } = store.tables;
	const setEnabled = (enabled: boolean) =>
		store.write(async ({ query }) => {
			await query
				.update(companyModule)
				.set({ enabled })
				.where(
					and(
						eq(companyModule.companyUuid, api().seeded.company_uuid),
						eq(companyModule.module, "co_selling"),
					),
				);
		});
	const deal = await newDeal(await newLead());
	await add(deal.uuid);
	await setEnabled(false);
	const params = { uuid: deal.uuid };
	const answers = [
		await remove(deal.uuid),
		await remove(UNKNOWN_UUID),
		await add(deal.uuid),
		await api().call("listDealPartners", { params }),
	];
	for (const { status, body } of answers)
		expect([status, body.error.code]).toEqual([403, "module_disabled"]);
	await setEnabled(true);
	expect(await partnersOf(deal.uuid)).toEqual([supporting.uuid]);
});
