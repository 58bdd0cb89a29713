import { isUuid, type OperationId } from "@partnerwire/contract";
import {
	EVENT_GROUPS,
	EVENT_IDS,
	type EventId,
	payloadKeyOf,
} from "@partnerwire/wire";
import { readFixture } from "partnerwire";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { type Api, openApi } from "#kit/program/api.ts";
import { createIntegration, createPartner } from "../support/records.ts";

let api: Api;
beforeAll(async () => {
	api = await openApi();
});
afterAll(() => api.close());

describe("A108 event types", () => {
	interface EventType {
		id: EventId;
		group: keyof typeof EVENT_GROUPS;
		label: string;
		payload_key: string;
		schema: Parameters<typeof z.fromJSONSchema>[0];
	}
	const read = async (): Promise<EventType[]> =>
		(await api.call("listEventTypes")).body.data;

	test("A108 they are exactly the 19 ids of the table, each with its group and key", async () => {
		const types = await read();
		expect(types.map(({ id }) => id)).toEqual(EVENT_IDS);
		for (const { id, group, label, payload_key } of types) {
			expect(EVENT_GROUPS[group]).toContain(id);
			expect(payload_key).toBe(payloadKeyOf(id));
			expect(label.toLowerCase()).toBe(id.replaceAll("_", " "));
		}
	});

	test("each schema takes the event's fixture, and no other record under its key", async () => {
		for (const { id, schema, payload_key } of await read()) {
			const body = z.fromJSONSchema(schema);
			const fixture = readFixture(id);
			expect(body.safeParse(fixture).error?.issues, id).toBe(undefined);
			for (const wrong of [{}, { ...fixture, [payload_key]: {} }])
				expect(body.safeParse(wrong).success, id).toBe(false);
		}
	});

	test("they come in pages like every list", async () => {
		const query = "?page=2&per_page=18";
		const { body } = await api.call("listEventTypes", { query });
		expect(body).toEqual({
			data: [expect.objectContaining({ id: EVENT_IDS.at(-1) })],
			pagination: { page: 2, per_page: 18, total: 19, total_pages: 2 },
		});
	});
});

const call = (id: OperationId, uuid: string, body?: object) =>
	api.call(id, { params: { uuid }, ...(body && { body }) });

describe("event subscriptions", () => {
	const two: EventId[] = ["lead_created", "deal_created"];
	const subscribe = (body: object) =>
		api.call("createEventSubscription", { body });
	const listOf = async (integrationId: string, more = "") => {
		const query = `?integration_id=${integrationId}${more}`;
		const { body } = await api.call("listEventSubscriptions", { query });
		return body.data as { uuid: string; event_id: EventId; active: boolean }[];
	};
	const eventIdsOf = async (integration_id: string) =>
		(await api.call("getIntegration", { params: { integration_id } })).body
			.event_ids;

	test("they are the event_ids of the integration, in both directions", async () => {
		const { id } = await createIntegration(api, { event_ids: two });
		const given = await listOf(id);
		expect(given).toEqual(
			two.map((event_id) => ({
				uuid: expect.toSatisfy(isUuid),
				integration_id: id,
				event_id,
				active: true,
			})),
		);
		for (const one of given)
			expect((await call("getEventSubscription", one.uuid)).body).toEqual(one);

		const event_id = "partner_created";
		const made = await subscribe({ integration_id: id, event_id });
		expect(made.status).toBe(201);
		expect(await eventIdsOf(id)).toEqual([event_id, ...two]);

		const [first] = given;
		const { uuid } = first as { uuid: string };
		await call("updateEventSubscription", uuid, { active: false });
		expect(await eventIdsOf(id)).toEqual([event_id, "deal_created"]);
		expect(await listOf(id, "&active=false")).toEqual([
			{ ...first, active: false },
		]);
		await call("updateEventSubscription", uuid, { active: true });
		expect(await listOf(id, "&event_id=lead_created")).toEqual([first]);

		await call("deleteEventSubscription", uuid);
		expect(await eventIdsOf(id)).toEqual([event_id, "deal_created"]);
		expect((await call("getEventSubscription", uuid)).status).toBe(404);
		const params = { integration_id: id };
		await api.call("updateIntegration", { params, body: { event_ids: [] } });
		expect(await listOf(id)).toEqual([]);
	});

	test("a pair is unique, active or not: 409", async () => {
		const { id: integration_id } = await createIntegration(api, {
			event_ids: two,
		});
		const off = { integration_id, event_id: "lead_deleted", active: false };
		expect((await subscribe(off)).body.active).toBe(false);
		for (const event_id of [...two, "lead_deleted"]) {
			const { status, body } = await subscribe({ integration_id, event_id });
			expect([status, body.error.code]).toEqual([409, "conflict"]);
			expect(body.error.message).toContain(event_id);
		}
		expect(await eventIdsOf(integration_id)).toEqual(two);
	});

	test("an event that comes back by event_ids is active again, and goes with them", async () => {
		const event_id = "lead_created";
		const { id: integration_id } = await createIntegration(api, {
			event_ids: [],
		});
		await subscribe({ integration_id, event_id, active: false });
		const params = { integration_id };
		for (const [event_ids, states] of [
			[two, [true, true]],
			[["deal_created"], [true]],
		] as const) {
			await api.call("updateIntegration", { params, body: { event_ids } });
			const active = (await listOf(integration_id)).map((one) => one.active);
			expect(active).toEqual(states);
		}
	});

	test("only what is active is delivered", async () => {
		const { id } = await createIntegration(api, {
			event_ids: ["partner_created"],
		});
		const countDeliveries = async () => {
			const query = `?integration_id=${id}`;
			const { body } = await api.call("listWebhookEvents", { query });
			return body.pagination.total;
		};
		const [one] = await listOf(id);
		await createPartner(api);
		expect(await countDeliveries()).toBe(1);
		await call("updateEventSubscription", one?.uuid ?? "", { active: false });
		await createPartner(api);
		expect(await countDeliveries()).toBe(1);
	});

	test("each change is audited, of the integration too where it receives other events", async () => {
		const { id: integration_id } = await createIntegration(api, {
			event_ids: [],
		});
		const entriesOf = async (uuid: string) => {
			const query = `?entity_uuid=${uuid}`;
			const { body } = await api.call("listAuditLog", { query });
			return body.data.map(({ action }: { action: string }) => action).sort();
		};
		const event_id = "lead_created";
		const { body: made } = await subscribe({ integration_id, event_id });
		await call("updateEventSubscription", made.uuid, { active: true });
		await call("updateEventSubscription", made.uuid, { active: false });
		await call("deleteEventSubscription", made.uuid);
		expect(await entriesOf(made.uuid)).toEqual([
			"created",
			"deleted",
			"updated",
		]);
		expect(await entriesOf(integration_id)).toEqual([
			"created",
			"updated",
			"updated",
		]);
	});

	test("those of a deleted integration are gone, and it takes no new ones", async () => {
		const { id: integration_id } = await createIntegration(api);
		const [one] = await listOf(integration_id);
		await api.call("deleteIntegration", { params: { integration_id } });
		expect(await listOf(integration_id)).toEqual([]);
		const gone = await call("getEventSubscription", one?.uuid ?? "");
		expect(gone.status).toBe(404);
		const event_id = "lead_created";
		const { status, body } = await subscribe({ integration_id, event_id });
		expect(status).toBe(400);
		expect(body.error.message).toContain("body/integration_id: ");
	});
});

describe("automations", () => {
	const create = async (body: object) => {
		const made = await api.call("createAutomation", { body });
		expect(made.status).toBe(201);
		return made.body;
	};
	const body = {
		name: "Greet",
		trigger_event_id: "lead_created",
		actions: [
			{ type: "create_task", settings: [{ id: "title", value: "Hi" }] },
		],
	};
	const withCondition = (condition: object) => ({
		...body,
		conditions: [{ field: "status", operator: "equals", ...condition }],
	});

	test("what is stored is what was given, with its defaults", async () => {
		const made = await create(withCondition({ value: "new" }));
		expect(made).toMatchObject({
			...withCondition({ value: "new" }),
			status: "draft",
		});
		expect((await call("getAutomation", made.uuid)).body).toEqual(made);
		const plain = await create(body);
		expect(plain.conditions).toEqual([]);
	});

	test.each([
		["equals", [], "conditions/0/value"],
		["equals", null, "conditions/0/value"],
		["in", "new", "conditions/0/value"],
		["in", [], "conditions/0/value"],
		["contains", 1, "conditions/0/value"],
		["greater_than", true, "conditions/0/value"],
		["is_blank", "x", "conditions/0/value"],
		["equals", 2 ** 53, "conditions/0/value"],
		["equals", { a: 1 }, "conditions/0/value"],
		["matches", "x", "conditions/0/operator"],
	])("a condition %s %j is refused", async (operator, value, member) => {
		const answer = await api.call("createAutomation", {
			body: withCondition({ operator, value }),
		});
		expect(answer.status).toBe(400);
		expect(answer.body.error.message).toContain(`body/${member}`);
	});

	test("conditions are about members of the trigger's payload, also when the trigger changes", async () => {
		const refused = await api.call("createAutomation", {
			body: withCondition({ field: "deal_value", value: 1 }),
		});
		const message =
			"body/conditions/0/field: is not a member of the payload of lead_created";
		expect(refused.body.error.message).toBe(message);
		const made = await create(
			withCondition({ field: "partnership.partner_type", value: "referral" }),
		);
		const change = { trigger_event_id: "message_created" };
		const changed = await call("updateAutomation", made.uuid, change);
		expect(changed.status).toBe(400);
		const both = { ...change, conditions: [] };
		expect((await call("updateAutomation", made.uuid, both)).status).toBe(200);
	});

	test("conditions, actions and settings are bounded, and there is an action", async () => {
		const many = <Item>(count: number, item: Item) =>
			Array.from({ length: count }, () => item);
		const [action] = body.actions;
		const condition = { field: "status", operator: "is_blank" };
		for (const wrong of [
			{ actions: [] },
			{ actions: many(21, action) },
			{ conditions: many(21, condition) },
			{
				actions: [
					{ type: "create_task", settings: many(21, { id: "x", value: 1 }) },
				],
			},
			{ actions: [{ type: "format_disk" }] },
			{ trigger_event_id: "task_created" },
		]) {
			const answer = await api.call("createAutomation", {
				body: { ...body, ...wrong },
			});
			expect([wrong, answer.status]).toEqual([wrong, 400]);
		}
	});
});
