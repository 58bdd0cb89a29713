import { z } from "zod";
import { LabelRef } from "../table/references.ts";
import { calendarDate, timestamp } from "../table/text.ts";
import { Uuid } from "../table/uuid.ts";
import { series } from "./series.ts";

/** An attribution of a lead: exactly the members of the contract (docs/contract.md#other-resources). */
export const LeadAttribution = z.object({
	uuid: z.string(),
	attribution: LabelRef,
	series: z.int(),
	attributed_date: z.string().nullable(),
	created_at: timestamp(),
});
export type LeadAttribution = z.infer<typeof LeadAttribution>;

const optional = {
	series: series(),
	attributed_date: calendarDate().nullable(),
};

/** `series` defaults to the place after the last one. */
export const LeadAttributionCreate = z
	.object(optional)
	.partial()
	.extend({ attribution_uuid: Uuid });
export type LeadAttributionCreate = z.infer<typeof LeadAttributionCreate>;

export const LeadAttributionUpdate = z
	.object({ ...optional, attribution_uuid: Uuid })
	.partial();
export type LeadAttributionUpdate = z.infer<typeof LeadAttributionUpdate>;
