// The types of handlers and of execute().

import type { Lead } from "@partnerwire/contract";
import type { Caller, Core } from "@partnerwire/core";
import { describe, expectTypeOf, test } from "vitest";
import type { Handlers } from "../../src/execute/handlers.ts";

declare const all: Handlers;

describe("handlers", () => {
	test("every operation needs one", () => {
		const { createLead, ...others } = all;
		// @ts-expect-error createLead is missing
		const incomplete: Handlers = others;
		const complete: Handlers = { ...others, createLead };
		expectTypeOf(complete).toEqualTypeOf<Handlers>();
		expectTypeOf(incomplete).toEqualTypeOf<Handlers>();
	});

	test("a handler of another operation, or with another answer, does not fit", () => {
		// @ts-expect-error a handler of deals does not answer a lead
		const swapped = { getLead: all.getDeal } satisfies Partial<Handlers>;
		// @ts-expect-error a write answers its result together with its changes
		const bare = { createLead: all.getLead } satisfies Partial<Handlers>;
		const wrong = {
			// @ts-expect-error the answer has no members of a lead
			getLead: async () => ({ uuid: "x" }),
		} satisfies Partial<Handlers>;
		const unknown = {
			// @ts-expect-error no operation has this id
			getLeed: all.getLead,
		} satisfies Partial<Handlers>;
		expectTypeOf([swapped, bare, wrong, unknown]).toBeArray();
	});

	test("the parameters of a handler are typed by its operation", () => {
		const some = {
			getLead: async (input, context) => {
				expectTypeOf(input.params).toEqualTypeOf<{ uuid: string }>();
				return all.getLead(input, context);
			},
		} satisfies Partial<Handlers>;
		expectTypeOf(some.getLead).toExtend<Handlers["getLead"]>();
	});

	test("a handler's input and answer are inferred", () => {
		type CreateLead = Handlers["createLead"];
		expectTypeOf<
			Parameters<CreateLead>[0]["body"]["partnership_uuid"]
		>().toEqualTypeOf<string>();
		expectTypeOf<
			Awaited<ReturnType<CreateLead>>["result"]
		>().toEqualTypeOf<Lead>();
		expectTypeOf<Handlers["testIntegration"]>().toHaveProperty("perform");
	});
});

describe("execute", () => {
	test("its arguments and answer follow from the id", () => {
		const run = (core: Core, caller: Caller) => {
			expectTypeOf(
				core.execute("createLead", { body: { partnership_uuid: "x" } }, caller),
			).resolves.toEqualTypeOf<Lead>();
			expectTypeOf(
				core.execute("listLeads", { query: { page: 2 } }, caller),
			).resolves.toHaveProperty("pagination");
		};
		expectTypeOf(run).toBeFunction();
	});
});
