// Rules that hold for every row of the operation table, and for the events.

import {
	EVENT_GROUPS,
	EVENT_IDS,
	eventGroupOf,
	isEventId,
	payloadKeyOf,
} from "@partnerwire/wire";
import { describe, expect, test } from "vitest";
import {
	eventBodySchema,
	OPERATION_IDS,
	type Operation,
	operations,
} from "../src/index.ts";

const rows = OPERATION_IDS.map((id) => ({
	id,
	...(operations[id] as Operation),
}));

describe("the operation table", () => {
	test("no two operations share a method and a path", () => {
		const routes = rows.map(
			({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, "{}")}`,
		);
		expect(new Set(routes).size).toBe(rows.length);
	});

	test("ids are camelCase, a verb first", () => {
		const verbs =
			/^(list|get|create|update|archive|delete|revoke|pause|resume|test|rotate|add|remove|redeliver|skip|cancel|purge|restore|set|reveal|preview|probe|publish|evaluate)[A-Z][A-Za-z]+$/;
		for (const { id } of rows) expect(id).toMatch(verbs);
	});

	test.each(rows)("$method $path is consistent in itself", (row) => {
		const isGet = row.method === "GET";
		expect(row.permission).toBe(isGet ? "read" : "write");
		// Evaluating a price takes a body and changes nothing.
		const reads = isGet || row.id === "evaluatePricingCalculator";
		expect(row.mode === "read").toBe(reads);
		// A body may say which values to delete; without one all are deleted (docs/decisions.md#delete-custom-fields).
		const takesBody = /^delete(Lead|Deal|Partner)CustomFields$/.test(row.id);
		if (takesBody) expect(row.body?.safeParse(undefined).success).toBe(true);
		else if (isGet || row.method === "DELETE") expect(row.body).toBeNull();
		if (isGet) expect(row.emits).toEqual([]);
		const creates = row.id.startsWith("create") || row.id === "addDealPartner";
		expect(row.status).toBe(creates ? 201 : 200);
		expect(row.summary).toMatch(/^[A-Z].*[^.]$/);
		// Exactly the parameters of the path are parsed.
		const named = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
		const nil = "00000000-0000-0000-0000-000000000000";
		const params = Object.fromEntries(named.map((name) => [name, nil]));
		expect(row.params.parse(params)).toEqual(params);
		// A module is named by its identifier, not by a uuid.
		for (const name of named.filter((name) => name !== "module"))
			expect(
				row.params.safeParse({ ...params, [name as string]: "x" }).success,
			).toBe(false);
	});

	test("the answers that hold a secret are marked", () => {
		const secret = rows.filter((row) => row.secret).map(({ id }) => id);
		expect(secret.sort()).toEqual([
			"createApiKey",
			"createIntegration",
			"getWebhookFeed",
			"revealIntegrationSecret",
			"rotateIntegrationSecret",
		]);
	});

	test("each record event is emitted by some operation, and no operation emits an unknown one", () => {
		const emitted = new Set(rows.flatMap(({ emits }) => emits));
		for (const id of emitted) expect(isEventId(id)).toBe(true);
		for (const id of [
			"partner_created",
			"lead_deleted",
			"deal_updated",
			"lead_note_created",
			"deal_note_deleted",
		] as const)
			expect(
				rows.some((row) => row.mode === "write" && row.emits.includes(id)),
			).toBe(true);
	});
});

describe("A108 events", () => {
	test("A108 there are exactly the 19 of the contract", () => {
		expect(EVENT_GROUPS).toEqual({
			Partner: [
				"partner_created",
				"partner_updated",
				"partner_contact_created",
				"partner_contact_updated",
			],
			Lead: [
				"lead_created",
				"lead_updated",
				"lead_deleted",
				"lead_note_created",
				"lead_note_updated",
				"lead_note_deleted",
			],
			Deal: [
				"deal_created",
				"deal_updated",
				"deal_deleted",
				"deal_note_created",
				"deal_note_updated",
				"deal_note_deleted",
			],
			Message: ["message_created", "message_updated", "message_deleted"],
		});
		expect(EVENT_IDS).toHaveLength(19);
		expect(isEventId("task_created")).toBe(false);
		expect(isEventId("toString")).toBe(false);
	});

	test.each(EVENT_IDS)("A115 %s has one entity key", (id) => {
		const keys: Record<string, string> = {
			Partner: "partnership",
			Lead: "lead",
			Deal: "deal",
			Message: "message",
		};
		const expected = id.includes("_note_")
			? "note"
			: id.startsWith("partner_contact")
				? "contact"
				: keys[eventGroupOf(id)];
		expect(payloadKeyOf(id)).toBe(expected);
		expect(Object.keys(eventBodySchema(id).shape)).toEqual([
			expected,
			"configuration",
		]);
	});
});
