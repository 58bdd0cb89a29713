// The types of operations as callers see them: inputs and responses by operation id.

import type {
	ArgumentsOf,
	InputOf,
	Lead,
	Note,
	OperationId,
	Operations,
	ResponseOf,
} from "@partnerwire/contract";
import type { EventBody, LeadPayload, PayloadKeyOf } from "@partnerwire/wire";
import { describe, expectTypeOf, test } from "vitest";

describe("createLead", () => {
	test("the handler's body is parsed: defaults are there, optional members may be absent or null", () => {
		type Body = InputOf<"createLead">["body"];
		expectTypeOf<Body["partnership_uuid"]>().toEqualTypeOf<string>();
		expectTypeOf<Body["status"]>().toEqualTypeOf<Lead["status"]>();
		expectTypeOf<Body["email"]>().toEqualTypeOf<string | null | undefined>();
		expectTypeOf<Body["direction"]>().toEqualTypeOf<
			"received" | "sent" | null | undefined
		>();
		expectTypeOf<Body>().not.toHaveProperty("archived_at");
	});

	test("the caller's body may leave defaults out, and must name the partnership", () => {
		type Body = ArgumentsOf<"createLead">["body"];
		expectTypeOf<{ partnership_uuid: string }>().toExtend<Body>();
		expectTypeOf<{ company_name: string }>().not.toExtend<Body>();
		expectTypeOf<{
			partnership_uuid: string;
			status: "won";
		}>().not.toExtend<Body>();
	});

	test("it answers a lead", () => {
		expectTypeOf<ResponseOf<"createLead">>().toEqualTypeOf<Lead>();
		expectTypeOf<Operations["createLead"]["mode"]>().toEqualTypeOf<"write">();
	});
});

describe("listLeads", () => {
	test("the query is parsed: numbers and booleans, with their defaults", () => {
		type Query = InputOf<"listLeads">["query"];
		expectTypeOf<Query["page"]>().toEqualTypeOf<number>();
		expectTypeOf<Query["per_page"]>().toEqualTypeOf<number>();
		expectTypeOf<Query["archived"]>().toEqualTypeOf<boolean>();
		expectTypeOf<Query["search"]>().toEqualTypeOf<string | undefined>();
		expectTypeOf<Query["stage_uuids"]>().toEqualTypeOf<string[] | undefined>();
		expectTypeOf<NonNullable<Query["sort"]>>().toEqualTypeOf<
			"created_at" | "-created_at" | "updated_at" | "-updated_at"
		>();
	});

	test("it takes no body and answers a page of leads", () => {
		expectTypeOf<InputOf<"listLeads">["body"]>().toEqualTypeOf<undefined>();
		type Page = ResponseOf<"listLeads">;
		expectTypeOf<Page["data"]>().toEqualTypeOf<Lead[]>();
		expectTypeOf<Page["pagination"]["total_pages"]>().toEqualTypeOf<number>();
	});
});

describe("getIntegration and createIntegration", () => {
	test("the path parameter is integration_id", () => {
		expectTypeOf<InputOf<"getIntegration">["params"]>().toEqualTypeOf<{
			integration_id: string;
		}>();
		expectTypeOf<InputOf<"getIntegration">["params"]>().not.toHaveProperty(
			"uuid",
		);
	});

	test("only creation and rotation answer with the signing secret", () => {
		type Secretive = { integration_uuid: string };
		expectTypeOf<ResponseOf<"getIntegration">>().not.toExtend<Secretive>();
		expectTypeOf<ResponseOf<"updateIntegration">>().not.toExtend<Secretive>();
		expectTypeOf<ResponseOf<"createIntegration">>().toExtend<Secretive>();
		expectTypeOf<ResponseOf<"rotateIntegrationSecret">>().toExtend<Secretive>();
	});
});

describe("createLeadNote", () => {
	test("params, body and response are those of a nested record", () => {
		expectTypeOf<InputOf<"createLeadNote">["params"]>().toEqualTypeOf<{
			uuid: string;
		}>();
		expectTypeOf<InputOf<"updateLeadNote">["params"]>().toEqualTypeOf<{
			uuid: string;
			subUuid: string;
		}>();
		expectTypeOf<InputOf<"createLeadNote">["body"]>().toEqualTypeOf<{
			content: string;
		}>();
		expectTypeOf<InputOf<"updateLeadNote">["body"]["content"]>().toEqualTypeOf<
			string | undefined
		>();
		expectTypeOf<ResponseOf<"createLeadNote">>().toEqualTypeOf<Note>();
		expectTypeOf<ResponseOf<"listLeadNotes">>().toEqualTypeOf<Note[]>();
	});
});

describe("the table", () => {
	test("its ids are literals", () => {
		expectTypeOf<"archiveLead">().toExtend<OperationId>();
		expectTypeOf<"deleteLead">().not.toExtend<OperationId>();
		expectTypeOf<string>().not.toExtend<OperationId>();
		expectTypeOf<
			Operations["testIntegration"]["mode"]
		>().toEqualTypeOf<"action">();
	});
});

describe("events", () => {
	test("an id gives its payload key, and the body its entity", () => {
		expectTypeOf<PayloadKeyOf<"deal_note_updated">>().toEqualTypeOf<"note">();
		expectTypeOf<
			PayloadKeyOf<"partner_contact_created">
		>().toEqualTypeOf<"contact">();
		expectTypeOf<
			PayloadKeyOf<"partner_created">
		>().toEqualTypeOf<"partnership">();
		expectTypeOf<PayloadKeyOf<"message_deleted">>().toEqualTypeOf<"message">();
		expectTypeOf<
			EventBody<"lead_created">["lead"]
		>().toEqualTypeOf<LeadPayload>();
		expectTypeOf<EventBody<"lead_created">>().not.toHaveProperty("deal");
	});
});
