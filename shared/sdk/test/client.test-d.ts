import type { Lead } from "@partnerwire/contract";
import { type Client, items, pages } from "@partnerwire/sdk";
import { expectTypeOf, test } from "vitest";

type Call<Id extends keyof Client> = Parameters<Client[Id]>[0];

test("params and body are demanded exactly where the operation has them", () => {
	expectTypeOf<{ params: { uuid: string } }>().toExtend<Call<"getLead">>();
	expectTypeOf<Record<never, never>>().not.toExtend<Call<"getLead">>();
	expectTypeOf<{ params: { uuid: number } }>().not.toExtend<Call<"getLead">>();
	expectTypeOf<{ body: { partnership_uuid: string } }>().toExtend<
		Call<"createLead">
	>();
	expectTypeOf<{ body: { company_name: string } }>().not.toExtend<
		Call<"createLead">
	>();
	expectTypeOf<{ params: { uuid: string } }>().not.toExtend<
		Call<"createLeadNote">
	>();
	expectTypeOf<{
		params: { uuid: string };
		body: { content: string };
	}>().toExtend<Call<"createLeadNote">>();
});

test("a call without anything is allowed where nothing is needed", () => {
	expectTypeOf<undefined>().toExtend<Call<"listLeads">>();
	expectTypeOf<undefined>().not.toExtend<Call<"getLead">>();
	expectTypeOf<{ query: { page: number; archived: boolean } }>().toExtend<
		Call<"listLeads">
	>();
	expectTypeOf<{ query: { sort: "name" } }>().not.toExtend<Call<"listLeads">>();
	expectTypeOf<{ params: { integration_id: string } }>().toExtend<
		Call<"pauseIntegration">
	>();
});

test("answers are typed", () => {
	expectTypeOf<
		ReturnType<Client["createLead"]>
	>().resolves.toEqualTypeOf<Lead>();
	expectTypeOf<ReturnType<Client["listLeads"]>>().resolves.toHaveProperty(
		"data",
	);
});

test("an operation that is not in the table is no method", () => {
	expectTypeOf<Client>().not.toHaveProperty("deleteLead");
	expectTypeOf<Client>().toHaveProperty("rotateIntegrationSecret");
});

test("the pages and records of a list are its own, and a call that filters needs to name no page", () => {
	const client = {} as Client;
	const leads = () => items(client.listLeads, { query: { search: "x" } });
	const first = () => items(client.listLeads, {});
	const notes = () => pages(client.listPartners, { query: { page: 2 } });
	expectTypeOf<ReturnType<typeof leads>>().toEqualTypeOf<
		AsyncGenerator<Lead, void>
	>();
	expectTypeOf(first).returns.toEqualTypeOf<AsyncGenerator<Lead, void>>();
	expectTypeOf(notes).returns.toExtend<AsyncGenerator<object, void>>();
	// @ts-expect-error no such filter
	void (() => items(client.listLeads, { query: { serach: "x" } }));
});
