import * as z from "zod";
import { pageOf, pageQuery, sortQuery } from "../../table/list-query.ts";
import { defineRead } from "../../table/operation.ts";
import { calendarDate, text, timestamp } from "../../table/text.ts";
import { Uuid } from "../../table/uuid.ts";

/** One changed member. Foreign keys appear as labels, with the uuid in `ref_uuid` (docs/contract.md#versioning). */
export const AuditEntryChange = z.object({
	entity: z.string(),
	field: z.string(),
	old: z.unknown(),
	new: z.unknown(),
	label: z.string(),
	ref_uuid: z.string().nullable(),
});
export type AuditEntryChange = z.infer<typeof AuditEntryChange>;

/** Who did what to which record, and what it changed. */
export const AuditEntry = z.object({
	uuid: z.string(),
	entity: z.string(),
	entity_uuid: z.string(),
	action: z.string(),
	actor: z.string(),
	changes: z.array(AuditEntryChange),
	created_at: timestamp(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** `actor` is a part of the name, or the user's uuid. Both dates are inclusive, in UTC (docs/decisions.md#audit-log). */
const auditFilters = {
	entity_type: text().optional(),
	entity_uuid: Uuid.optional(),
	action: text().optional(),
	actor: text().optional(),
	start_date: calendarDate().optional(),
	end_date: calendarDate().optional(),
	sort: sortQuery(),
};

export const auditOperations = {
	listAuditLog: defineRead({
		replica: true,
		group: "Audit Log",
		path: "/v1/audit-log",
		summary: "List who did what, newest first",
		query: z.object({ ...pageQuery, ...auditFilters }),
		response: pageOf(AuditEntry),
	}),
};
