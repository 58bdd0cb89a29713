// However many mistakes a request has, its 400 names a hundred of them and counts the rest: docs/decisions.md#details-of-a-400.
import { expect, test } from "vitest";
import { useCalculator } from "../support/calculator-world.ts";
import { createLead, createPartner } from "../support/records.ts";

const { api, world } = useCalculator();
const named = (count: number) =>
	Array.from({ length: count }, (_, n) => [`v${n}`, n] as const);
const uuids = (count: number) =>
	Array.from(
		{ length: count },
		(_, n) => `0192a1b2-c3d4-7e5f-8a6b-${n.toString(16).padStart(12, "0")}`,
	);

test.each([
	["unknown values of a calculator", 60_000],
	["unknown custom fields", 25_000],
	["members of the wrong type", 50_000],
	["unknown members of a strict request", 50_000],
	["a hundred and one", 101],
])("%s", async (what, count) => {
	const lead = await createLead(api(), (await createPartner(api())).uuid);
	const strict = { headers: { prefer: "handling=strict" } };
	const send = {
		"unknown custom fields": () =>
			api().request("DELETE", `/v1/leads/${lead.uuid}/custom-fields`, {
				body: { uuids: uuids(count) },
			}),
		"members of the wrong type": () =>
			api().request("PATCH", `/v1/leads/${lead.uuid}/custom-fields`, {
				body: { custom_fields: Array(count).fill(1) },
			}),
		"unknown members of a strict request": () =>
			api().request("PATCH", `/v1/leads/${lead.uuid}`, {
				body: Object.fromEntries(named(count)),
				...strict,
			}),
	}[what];
	const { status, body } = await (send?.() ??
		api().request("POST", `/v1/pricing-calculators/${world.uuid}/evaluate`, {
			body: { values: Object.fromEntries(named(count)) },
		}));
	expect(status).toBe(400);
	expect(body.error.details).toHaveLength(100);
	expect(body.error.message).toMatch(new RegExp(`; and ${count - 100} more$`));
	expect(JSON.stringify(body).length).toBeLessThan(64 * 1024);
});
