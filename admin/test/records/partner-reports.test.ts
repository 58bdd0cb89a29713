import { beforeAll, expect, test } from "vitest";
import { useApi } from "../support/api-world.ts";
import { createDeal, createLead, createPartner } from "../support/records.ts";

const api = useApi();
const DAY_MS = 86_400_000;

const send = (method: string, path: string, body?: object) =>
	api().request(method, `/v1${path}`, body ? { body } : {});
const make = async (path: string, body: object) =>
	(await send("POST", path, body)).body;
const report = async (path: string, query = "") =>
	(await send("GET", `/analytics/${path}${query}`)).body;

let distributor: { uuid: string };
let reseller: { uuid: string };

beforeAll(async () => {
	distributor = await createPartner(api(), {
		name: "The distributor",
		partner_type: "distributor",
	});
	reseller = await createPartner(api(), { partner_type: "reseller" });
	const { uuid } = distributor;
	const [user] = (await send("GET", "/users")).body.data;
	const course = await make("/certifications", { label: "Expert" });
	await make(`/certifications/${course.uuid}/enrollments`, {
		user_uuid: user.uuid,
		partnership_uuid: uuid,
	});
	const stages = (await send("GET", "/deal-stages?partner_type=distributor"))
		.body as { uuid: string; phase: string | null }[];
	const won =
		stages.find(({ phase }) => phase === "closed_won") ??
		(await make("/deal-stages", {
			label: "Won",
			partner_type: "distributor",
			phase: "closed_won",
		}));
	const [euro] = (await send("GET", "/currencies?search=EUR")).body.data;
	const lead = await createLead(api(), uuid, { status: "converted" });
	for (const deal_value of [0.1, 0.2]) {
		const deal = await createDeal(api(), lead.uuid, {
			deal_value,
			stage_uuid: won.uuid,
			currency_uuid: euro.uuid,
		});
		await make(`/deals/${deal.uuid}/payments`, {
			payment_value: deal_value,
			payment_date: "2026-11-01",
			approved: true,
			completed: deal_value === 0.1,
		});
	}
	const deal = await createDeal(api(), lead.uuid);
	await make(`/deals/${deal.uuid}/payments`, {
		payment_value: 5,
		payment_date: "2025-12-31",
	});
});

test("what each partner brought in, most won deals first, each currency apart", async () => {
	const { data, pagination } = await report("partners");
	expect(pagination.total).toBe(data.length);
	expect(data[0]).toEqual({
		partner_uuid: distributor.uuid,
		partner_company_name: "The distributor",
		partner_type: "distributor",
		leads_count: 1,
		deals_count: 3,
		won_deals_count: 2,
		lost_deals_count: 0,
		won_deals_value: [{ currency_code: "EUR", amount: 0.3 }],
	});
	const query = `?partner_uuids=${distributor.uuid}&period=last_year`;
	const [before] = (await report("partners", query)).data;
	expect(before).toMatchObject({ deals_count: 0, won_deals_value: [] });
	const [one] = (await report("partners", "?limit=1")).data;
	expect(one).toEqual(data[0]);
});

test("what each partner did, the most active first", async () => {
	const { data } = await report("engagement/partners");
	expect(data[0]).toMatchObject({
		partner_uuid: distributor.uuid,
		leads_count: 1,
		deals_count: 3,
		enrollments_count: 1,
		activities_count: 5,
	});
});

test("payments by their date: what is approved and completed", async () => {
	const { data } = await report("commissions");
	expect(data[0]).toEqual({
		partner_uuid: distributor.uuid,
		partner_company_name: "The distributor",
		partner_type: "distributor",
		payments_count: 2,
		totals: [
			{
				currency_code: "EUR",
				amount: 0.3,
				approved_amount: 0.3,
				completed_amount: 0.1,
			},
		],
	});
	const days = "?start_date=2025-12-31&end_date=2025-12-31";
	const [before] = (await report("commissions", days)).data;
	expect(before.totals).toMatchObject([{ currency_code: null, amount: 5 }]);
});

test("how the number of leads went", async () => {
	const query = "?start_date=2026-11-26&end_date=2026-11-27";
	expect(await report("partners/leads-timeline", query)).toEqual({
		start_date: "2026-11-26",
		end_date: "2026-11-27",
		interval: "day",
		leads_count: 1,
		points: [
			{ date: "2026-11-26", leads_count: 0, converted_count: 0 },
			{ date: "2026-11-27", leads_count: 1, converted_count: 1 },
		],
	});
	const { interval, leads_count } = await report("partners/leads-timeline");
	expect([interval, leads_count]).toEqual(["month", 1]);
	const other = `?partner_type=reseller`;
	expect((await report("partners/leads-timeline", other)).leads_count).toBe(0);
});

test("an end date belongs to the days, in UTC, and another company has none of it", async () => {
	const last = "?start_date=2026-11-27&end_date=2026-11-27";
	const midnight = Math.ceil(api().clock() / DAY_MS) * DAY_MS;
	api().clock.advance(midnight - 1 - api().clock());
	await createLead(api(), reseller.uuid);
	api().clock.advance(1);
	await createLead(api(), reseller.uuid);
	const { points } = await report("partners/leads-timeline", last);
	expect(points).toEqual([
		{ date: "2026-11-27", leads_count: 2, converted_count: 1 },
	]);
	const { keys } = await api().addCompany();
	const paths = [
		"lms/enrollments",
		"partners",
		"engagement/partners",
		"commissions",
	];
	for (const path of paths) {
		const { body } = await api().request("GET", `/v1/analytics/${path}`, {
			key: keys.read,
		});
		const shown = JSON.stringify(body);
		for (const { uuid } of [distributor, reseller])
			expect(shown).not.toContain(uuid);
	}
});
