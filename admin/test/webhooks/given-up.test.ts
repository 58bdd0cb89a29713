import { MOST_GIVEN_UP } from "@partnerwire/contract";
import { eq, gt } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { createIntegration, createPartner } from "../support/records.ts";

let api: Api;
beforeAll(async () => {
	api = await openApi();
});
afterAll(() => api.close());

test("health tells how many deliveries were given up, as far as they are counted, until they go again", async () => {
	const made = await createIntegration(api);
	const other = await createIntegration(api);
	const params = { integration_id: made.id };
	await createPartner(api);
	const { store } = api.service;
	const { delivery } = store.tables;
	const { body: page } = await api.request(
		"GET",
		`/v1/webhook-events?integration_id=${made.id}`,
	);
	const [{ uuid }] = page.data;
	const state = (state: "failed" | "dropped" | "delivered") =>
		store.write(({ query }) =>
			query.update(delivery).set({ state }).where(eq(delivery.uuid, uuid)),
		);
	const givenUp = async () => {
		const { health } = (await api.call("getIntegration", { params })).body;
		const { body } = await api.call("listIntegrations");
		const listed = body.data.map(
			({ id, health }: { id: string; health: object }) => [id, health],
		);
		expect(new Map(listed).get(made.id)).toEqual(health);
		expect(new Map(listed).get(other.id)).toMatchObject({ given_up: 0 });
		return health.given_up;
	};
	expect(await givenUp()).toBe(0);
	for (const [to, count] of [
		["dropped", 0],
		["delivered", 0],
		["failed", 1],
	] as const) {
		await state(to);
		expect(await givenUp()).toBe(count);
	}
	await store.write(async ({ query }) => {
		const [row] = await query
			.select()
			.from(delivery)
			.where(eq(delivery.uuid, uuid));
		const { id: _, ...copy } = row as NonNullable<typeof row>;
		for (let more = 1; more <= MOST_GIVEN_UP; more++)
			await query.insert(delivery).values({
				...copy,
				uuid: `00000000-0000-4000-8000-${String(more).padStart(12, "0")}`,
				sequence: copy.sequence + more,
			});
	});
	expect(await givenUp()).toBe(MOST_GIVEN_UP);
	// Their numbers are those of events to come.
	await store.write(({ query }) =>
		query.delete(delivery).where(gt(delivery.sequence, page.data[0].sequence)),
	);
	expect(await givenUp()).toBe(1);
	await api.call("redeliverWebhookEvent", { params: { uuid } });
	expect(await givenUp()).toBe(0);
});
