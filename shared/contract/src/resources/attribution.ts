import * as z from "zod";
import { crud, nestedCrud } from "../table/crud.ts";
import { querySearch, sortQuery } from "../table/list-query.ts";
import { series } from "../table/numbers.ts";
import { LabelRef } from "../table/references.ts";
import { calendarDate, requiredLine, timestamp } from "../table/text.ts";
import { Uuid } from "../table/uuid.ts";
import { labelled } from "./label.ts";

/* Attributions, which say where leads come from, and the attributions of one lead. */

export const Attribution = z.object(labelled);
export type Attribution = z.infer<typeof Attribution>;
const AttributionCreate = z.object({ label: requiredLine() });
const AttributionUpdate = AttributionCreate.partial();

export const attributionOperations = crud({
	noun: "Attribution",
	plural: "Attributions",
	removal: "delete",
	path: "/v1/attributions",
	item: Attribution,
	create: AttributionCreate,
	update: AttributionUpdate,
	filters: {
		search: querySearch().optional(),
		sort: sortQuery("label", "-label"),
	},
});

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

const emits = ["lead_updated"] as const;

export const leadAttributionOperations = nestedCrud({
	noun: "LeadAttribution",
	plural: "LeadAttributions",
	parent: "/v1/leads/{uuid}",
	segment: "attributions",
	group: "Leads",
	item: LeadAttribution,
	create: LeadAttributionCreate,
	update: LeadAttributionUpdate,
	emits: { create: emits, update: emits, remove: emits },
});
