import { beforeAll, describe, expect, test } from "vitest";
import { readEvents, useApi } from "../support/api-world.ts";
import {
	createDeal,
	createLead,
	createPartner,
	createProduct,
	UNKNOWN_UUID,
} from "../support/records.ts";

const api = useApi();
let deal: { uuid: string };
let params: { uuid: string };
beforeAll(async () => {
	const partner = await createPartner(api());
	const lead = await createLead(api(), partner.uuid);
	deal = await createDeal(api(), lead.uuid);
	params = { uuid: deal.uuid };
});

const changed = (work: () => Promise<unknown>) =>
	readEvents(api(), work).then((events) => {
		for (const event of events)
			expect(event).toEqual(["deal_updated", deal.uuid]);
		return events.length;
	});

test("A053 A054 a deal without commission has the calculation null; an unknown deal is 404", async () => {
	const { status, body } = await api().call("getDealCommission", { params });
	expect([status, body]).toEqual([200, { calculation: null }]);
	const unknown = { params: { uuid: UNKNOWN_UUID } };
	expect((await api().call("getDealCommission", unknown)).status).toBe(404);
});

describe("payments", () => {
	const body = { payment_value: 12.5, payment_date: "2026-02-03" };

	test("each change is one deal_updated, and one that changes nothing is none", async () => {
		let payment = { uuid: "" };
		const create = async () => {
			const answer = await api().call("createDealPayment", { params, body });
			payment = answer.body;
		};
		expect(await changed(create)).toBe(1);
		expect(payment).toMatchObject({
			...body,
			category: null,
			approved: false,
			completed: false,
		});
		const one = { params: { uuid: deal.uuid, subUuid: payment.uuid } };
		const update = (change: object) => () =>
			api().call("updateDealPayment", { ...one, body: change });
		expect(await changed(update({}))).toBe(0);
		expect(await changed(update({ approved: false }))).toBe(0);
		expect(await changed(update({ approved: true }))).toBe(1);
		const list = await api().call("listDealPayments", { params });
		expect(list.body).toMatchObject([{ uuid: payment.uuid, approved: true }]);
		expect(await changed(() => api().call("deleteDealPayment", one))).toBe(1);
		expect((await api().call("deleteDealPayment", one)).status).toBe(404);
	});

	test("value and date are mandatory; a date that does not exist is 400", async () => {
		const create = (given: object) =>
			api().call("createDealPayment", { params, body: given });
		const { body: missing } = await create({});
		expect(missing.error.message).toMatch(/payment_value.*payment_date/);
		const wrong = { ...body, payment_date: "2026-02-30" };
		expect((await create(wrong)).status).toBe(400);
	});
});

describe("products", () => {
	test("A076 an archived product leaves the list, and stays on the deal that uses it", async () => {
		const product = await createProduct(api(), { price: 9.5 });
		const body = { product_uuid: product.uuid, quantity: 2 };
		const add = () => api().call("createDealProduct", { params, body });
		expect(await changed(add)).toBe(1);
		await api().call("archiveProduct", { params: { uuid: product.uuid } });
		const { body: listed } = await api().call("listProducts");
		expect(listed.data).toEqual([]);
		const { body: archived } = await api().call("listProducts", {
			query: "?archived=true",
		});
		expect(archived.data).toMatchObject([{ status: "archived" }]);
		const { body: shown } = await api().call("listDealProducts", { params });
		expect(shown).toMatchObject([
			{ product: { uuid: product.uuid }, quantity: 2, unit_price: 9.5 },
		]);
		const again = await add();
		expect(again.body.error.message).toContain("archived");
	});

	test("a product of another record is not found under this one", async () => {
		const { body } = await api().call("listDealProducts", { params });
		const partner = await createPartner(api());
		const lead = await createLead(api(), partner.uuid);
		const other = await createDeal(api(), lead.uuid);
		const subUuid = body[0].uuid;
		const foreign = { uuid: other.uuid, subUuid };
		const onLead = { uuid: lead.uuid, subUuid };
		const statuses = [
			await api().call("deleteDealProduct", { params: foreign }),
			await api().call("deleteLeadProduct", { params: onLead }),
		].map(({ status }) => status);
		expect(statuses).toEqual([404, 404]);
	});
});

test("A122 a deal is restored after it was archived, with an event each; nested writes on an archived deal are 404", async () => {
	const archive = () => api().call("archiveDeal", { params });
	expect(await readEvents(api(), archive)).toEqual([
		["deal_deleted", deal.uuid],
	]);
	const body = { payment_value: 1, payment_date: "2026-02-03" };
	const nested = await api().call("createDealPayment", { params, body });
	expect(nested.status).toBe(404);
	const restore = () => api().call("restoreDeal", { params });
	expect(await changed(restore)).toBe(1);
	expect((await api().call("getDeal", { params })).body.archived_at).toBeNull();
});
