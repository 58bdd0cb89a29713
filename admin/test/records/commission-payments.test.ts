import { expect, test } from "vitest";
import { readEvents } from "../support/api-world.ts";
import { percent, useCommissions } from "../support/commission-world.ts";
import {
	createDeal,
	createLead,
	createPartner,
	UNKNOWN_UUID,
} from "../support/records.ts";

const { api, world, params, setEntries, update, total, payments, stage } =
	useCommissions();

test("reaching the payment stage pays, once for each entry", async () => {
	await setEntries(
		{ payment_stage_id: stage(1).id, calculation: percent("10") },
		{
			payment_stage_id: stage(1).id,
			calculation: {
				type: "recurring",
				option: "fixed",
				value: "5",
				recurring_period: "monthly",
				number_of_occurrences: 2,
			},
		},
		{ payment_stage_id: stage(2).id, calculation: percent("1") },
	);
	const reach = (index: number) => update({ stage_uuid: stage(index).uuid });
	await reach(0);
	expect(await payments()).toEqual([]);
	const events = await readEvents(api(), () => reach(1));
	expect(events).toEqual([["deal_updated", world.deal.uuid]]);
	expect((await payments()).sort()).toEqual([100, 5, 5].sort());
	const { body } = await api().call("listDealPayments", { params: params() });
	for (const payment of body)
		expect(payment).toMatchObject({
			category: "commission",
			approved: false,
			completed: false,
		});
	await reach(0);
	await reach(1);
	await update({ deal_value: 2000 });
	expect(await payments()).toHaveLength(3);
	// Also by the link to a stage.
	const link = { params: params(), body: { stage_uuid: stage(2).uuid } };
	await api().call("addStageOfDeal", link);
	expect(await payments()).toContain(20);
	expect(await total()).toBe(230);
});

test("a commission that is set at its payment stage is paid at once; a commission of 0 is paid when it is no longer 0", async () => {
	await update({ stage_uuid: stage(1).uuid, deal_value: null });
	const entry = { payment_stage_id: stage(1).id, calculation: percent("10") };
	await setEntries(entry);
	expect(await payments()).toEqual([]);
	await update({ deal_value: 500 });
	expect(await payments()).toEqual([50]);
	await setEntries({ ...entry, calculation: percent("20") });
	expect([await payments(), await total()]).toEqual([[50], 100]);
});

test("what was paid follows its entry when others come before it, change places or go", async () => {
	const fixed = (value: string) => ({
		payment_stage_id: stage(1).id,
		calculation: { type: "oneOff", option: "fixed", value },
	});
	const paid = async () =>
		(await payments()).sort((a: number, b: number) => a - b);
	await update({ stage_uuid: stage(1).uuid });
	await setEntries(fixed("100"));
	expect(await paid()).toEqual([100]);
	await setEntries(fixed("30"), fixed("100"));
	expect(await paid()).toEqual([30, 100]);
	await setEntries(fixed("100"), fixed("30"));
	await setEntries(fixed("30"));
	expect(await paid()).toEqual([30, 100]);
	// The first goes, and the second, which came to nothing, is not taken for it.
	await setEntries(fixed("30"), fixed("0"));
	await setEntries(fixed("0"));
	await setEntries(fixed("8"));
	expect(await paid()).toEqual([8, 30, 100]);
});

test("new deals take the calculation of the rule that fits them best", async () => {
	const partner = await createPartner(api(), { partner_type: "reseller" });
	const other = await createPartner(api(), { partner_type: "distributor" });
	const rule = async (label: string, members: object) => {
		const entry = {
			payment_stage_id: stage(0).id,
			calculation: { type: "oneOff", option: "fixed", value: label },
		};
		const body = { label, calculation: { entries: [entry] }, ...members };
		const answer = await api().call("createCommission", { body });
		expect([answer.status, answer.body]).toEqual([201, answer.body]);
		return answer.body;
	};
	const rules = [
		await rule("1", { partner_type: "reseller" }),
		await rule("2", { partnership_uuid: partner.uuid }),
		await rule("3", { partnership_uuid: partner.uuid, active: false }),
	];
	const totalOf = async (uuid: string) => {
		const its = await createLead(api(), uuid);
		const made = await createDeal(api(), its.uuid, {
			stage_uuid: stage(0).uuid,
		});
		world.deal = made;
		return [made.total_commission_value, await payments()];
	};
	expect(await totalOf(other.uuid)).toEqual([null, []]);
	expect(await totalOf(partner.uuid)).toEqual([2, [2]]);
	const one = { params: { uuid: rules[1].uuid } };
	const patched = await api().call("updateCommission", {
		...one,
		body: { active: false },
	});
	expect(patched.body).toMatchObject({ active: false, label: "2" });
	expect(await totalOf(partner.uuid)).toEqual([1, [1]]);
	// The deal keeps what it was given.
	await api().call("deleteCommission", { params: { uuid: rules[0].uuid } });
	expect(await total()).toBe(1);
	const listed = await api().call("listCommissions", {
		query: `?active=false&partnership_uuid=${partner.uuid}&sort=label`,
	});
	expect(listed.body.data.map(({ label }: { label: string }) => label)).toEqual(
		["2", "3"],
	);
	const wrong = { partnership_uuid: UNKNOWN_UUID };
	const refused = await api().call("updateCommission", { ...one, body: wrong });
	expect(refused.status).toBe(400);
});
