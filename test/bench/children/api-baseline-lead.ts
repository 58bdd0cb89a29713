export interface Partnership {
	uuid: string;
	name: string;
	partner_type: string;
}
export interface Fields {
	company_name?: string | undefined;
	email?: string | undefined;
	first_name?: string | undefined;
	last_name?: string | undefined;
}
export interface LeadRow extends Fields {
	uuid: string;
	status: string;
	created_at: number;
	updated_at: number;
}
export type Lead = ReturnType<typeof toLead>;

/** A lead as our API shows it. */
export const toLead = (row: LeadRow, partnership: Partnership) => ({
	uuid: row.uuid,
	first_name: row.first_name,
	last_name: row.last_name,
	email: row.email,
	phone_number: null,
	company_name: row.company_name,
	website: null,
	status: row.status,
	stage: null,
	source: null,
	direction: null,
	partnership,
	distributor: null,
	tags: [],
	assigned_users: [],
	contacts: [],
	custom_fields: [],
	archived_at: null,
	created_at: new Date(row.created_at).toISOString(),
	updated_at: new Date(row.updated_at).toISOString(),
});

/** The lead of a webhook body. */
export const toPayload = ({ partnership, ...lead }: Lead) => ({
	uuid: lead.uuid,
	company_name: lead.company_name,
	email: lead.email,
	first_name: lead.first_name,
	last_name: lead.last_name,
	phone_number: lead.phone_number,
	website: lead.website,
	status: lead.status,
	stage: lead.stage,
	partnership: {
		uuid: partnership.uuid,
		company_name: partnership.name,
		partner_type: partnership.partner_type,
	},
	tags: lead.tags,
	assigned_users: lead.assigned_users,
	custom_fields: lead.custom_fields,
	created_at: lead.created_at,
	updated_at: lead.updated_at,
});

const toChange = (field: string, value: unknown, ref: string | null) => ({
	entity: "lead",
	field,
	old: null,
	new: value,
	label: field.replaceAll("_", " "),
	ref_uuid: ref,
});

/** The audit log's entry of a created lead. */
export const toChanges = (lead: Lead) => [
	toChange("first_name", lead.first_name, null),
	toChange("last_name", lead.last_name, null),
	toChange("email", lead.email, null),
	toChange("company_name", lead.company_name, null),
	toChange("status", lead.status, null),
	toChange("partnership", lead.partnership.name, lead.partnership.uuid),
];
