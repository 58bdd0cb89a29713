import { MAX_UUID, type OperationId, operations } from "@partnerwire/contract";

export type ListId = Extract<
	OperationId,
	| "listLeads"
	| "listDeals"
	| "listPartners"
	| "listProducts"
	| "listContacts"
	| "listTasks"
	| "listAuditLog"
	| "listIntegrations"
>;
/** The long lists, and the table of each. */
export const LISTS = {
	listLeads: "lead",
	listDeals: "deal",
	listPartners: "partner",
	listProducts: "product",
	listContacts: "contact",
	listTasks: "task",
	listAuditLog: "audit",
	listIntegrations: "integration",
} as const satisfies Record<ListId, string>;

/** A value for each filter. A filter of the operation table without a value here fails the test. */
export const FILTER_VALUES: Record<string, unknown> = {
	search: "globex",
	partnership_uuid: MAX_UUID,
	lead_uuid: MAX_UUID,
	deal_uuid: MAX_UUID,
	assigned_user_uuid: MAX_UUID,
	tag_uuids: MAX_UUID,
	stage_uuids: MAX_UUID,
	tier_uuids: MAX_UUID,
	category_uuids: MAX_UUID,
	status: undefined,
	direction: "received",
	partner_type: "reseller",
	billing_type: "recurring",
	priority: "urgent",
	archived: true,
	entity_type: "lead",
	entity_uuid: MAX_UUID,
	action: "created",
	actor: "Mara",
	start_date: "2026-01-02",
	end_date: "2026-01-02",
	attention: true,
};
const STATUS = {
	listLeads: "qualified",
	listProducts: "live",
	listIntegrations: "paused",
	listTasks: "done",
} as Record<string, string>;

/** All filters of all lists. */
export const filterCases = (Object.keys(LISTS) as ListId[]).flatMap((id) =>
	Object.keys(operations[id].query.shape)
		.filter((name) => !["page", "per_page", "sort"].includes(name))
		.map((filter) => ({ id, filter, table: LISTS[id] })),
);

export const filterValue = (id: ListId, filter: string): unknown =>
	filter === "status" ? STATUS[id] : FILTER_VALUES[filter];
