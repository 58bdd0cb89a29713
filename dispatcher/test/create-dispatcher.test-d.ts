import type { DealPayload, LeadPayload } from "@partnerwire/wire";
import { expectTypeOf, test } from "vitest";
import type { Dispatcher, RetriedSendResult } from "../src/index.ts";

declare const dispatcher: Dispatcher;
declare const lead: LeadPayload;
declare const deal: DealPayload;

test("the payload's type follows from the event", () => {
	expectTypeOf(
		dispatcher.emit("lead_created", lead),
	).resolves.toEqualTypeOf<RetriedSendResult>();
	void dispatcher.send("deal_updated", deal, { sequence: 1 });
	// @ts-expect-error a lead is no deal
	void dispatcher.send("deal_updated", lead);
	// @ts-expect-error there is no such event
	void dispatcher.emit("lead_won", lead);
});
