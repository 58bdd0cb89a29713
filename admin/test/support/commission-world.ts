import { beforeAll, beforeEach, expect } from "vitest";
import { useApi } from "./api-world.ts";
import { createDeal, createLead, createPartner } from "./records.ts";

interface Numbered {
	id: number;
	uuid: string;
}

/** The records of the tests of commissions: a select field of deals, and for each test a new deal worth 1000. */
interface World {
	lead: { uuid: string };
	stages: Numbered[];
	currencies: { uuid: string; code: string }[];
	field: Numbered & { options: { id: number }[] };
	deal: { uuid: string };
}

/** A commission of a percentage of the deal's value. */
export const percent = (value: string) => ({
	type: "oneOff",
	option: "percentage",
	value,
});

export function useCommissions() {
	const api = useApi();
	const world = {} as World;

	const stage = (index: number) => world.stages[index] as Numbered;
	const option = (index: number) => world.field.options[index]?.id as number;

	beforeAll(async () => {
		const partner = await createPartner(api());
		world.lead = await createLead(api(), partner.uuid);
		world.stages = (await api().call("listDealStages")).body;
		world.currencies = (await api().call("listCurrencies")).body.data;
		const body = {
			label: "Size",
			type: "select",
			category: "lead_deal",
			options: [{ label: "Small" }, { label: "Large" }],
		};
		world.field = (await api().call("createCustomField", { body })).body;
	});
	beforeEach(async () => {
		world.deal = await createDeal(api(), world.lead.uuid, { deal_value: 1000 });
	});

	const params = () => ({ uuid: world.deal.uuid });
	const set = (calculation: unknown) =>
		api().call("setDealCommission", {
			params: params(),
			body: { calculation },
		});
	const setEntries = async (...entries: object[]) => {
		const { status, body } = await set({ entries });
		expect([status, body]).toEqual([200, body]);
		return body.calculation.entries;
	};
	const read = async () =>
		(await api().call("getDealCommission", { params: params() })).body;
	const update = (body: object) =>
		api().call("updateDeal", { params: params(), body });
	const total = async () =>
		(await api().call("getDeal", { params: params() })).body
			.total_commission_value;
	const payments = async () =>
		(await api().call("listDealPayments", { params: params() })).body.map(
			(payment: { payment_value: number }) => payment.payment_value,
		);

	const scaling = () => ({
		type: "oneOff",
		option: "scaling",
		scalingConfig: {
			customFieldId: world.field.id,
			tiers: [
				{ optionId: option(0), option: "fixed", value: 20 },
				{ optionId: option(1), option: "percentage", value: 3.5 },
			],
		},
	});

	return {
		api,
		world,
		stage,
		option,
		params,
		set,
		setEntries,
		read,
		update,
		total,
		payments,
		scaling,
	};
}
