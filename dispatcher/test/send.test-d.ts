import type {
	DealPayload,
	LeadPayload,
	NotePayload,
	PartnershipPayload,
} from "@partnerwire/wire";
import { expectTypeOf, test } from "vitest";
import {
	type AttemptResult,
	type SendOptions,
	send,
	sendWithRetry,
} from "../src/index.ts";

declare const lead: LeadPayload;
const base = { url: "", secret: "", companyUuid: "", userUuid: "" };

test("the entity's type follows from the event id", () => {
	expectTypeOf<
		SendOptions<"lead_deleted">["entity"]
	>().toEqualTypeOf<LeadPayload>();
	expectTypeOf<
		SendOptions<"deal_updated">["entity"]
	>().toEqualTypeOf<DealPayload>();
	expectTypeOf<
		SendOptions<"deal_note_created">["entity"]
	>().toEqualTypeOf<NotePayload>();
	expectTypeOf<
		SendOptions<"partner_created">["entity"]
	>().toEqualTypeOf<PartnershipPayload>();
});

test("a result is an attempt's result", () => {
	expectTypeOf(
		send({ ...base, event: "lead_created", entity: lead }),
	).resolves.toExtend<AttemptResult>();
});

test("another event's entity, or an unknown event, does not compile", () => {
	// @ts-expect-error a lead is no deal
	void send({ ...base, event: "deal_created", entity: lead });
	// @ts-expect-error there is no such event
	void sendWithRetry({ ...base, event: "lead_won", entity: lead });
});
