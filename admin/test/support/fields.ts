import { expect } from "vitest";
import type { Api } from "#kit/program/api.ts";
import type { Answer } from "#kit/program/client.ts";
import { createLead, createPartner } from "./records.ts";

/** The kinds of records that have custom fields. */
export const SURFACES = [
	{ surface: "leads", category: "lead", event: "lead" },
	{ surface: "deals", category: "lead_deal", event: "deal" },
	{ surface: "partners", category: "partner", event: "partner" },
] as const;
export type SurfaceRow = (typeof SURFACES)[number];

type Body = Record<string, unknown>;
/** A field's uuid and a value of it. */
export type Given = readonly [field: { uuid: string }, value: unknown];

const toInline = (given: readonly Given[]) => ({
	custom_fields: given.map(([{ uuid }, value]) => ({ uuid, value })),
});

export type FieldWorld = Awaited<ReturnType<typeof openFieldWorld>>;

/** A company of its own with a reseller and a lead, and what tests do with custom fields of one kind of record. */
export async function openFieldWorld(
	api: Api,
	{ surface, category }: SurfaceRow,
) {
	const { keys } = await api.addCompany();
	const init = { key: keys.full };
	const send = (method: string, path: string, body?: unknown) =>
		api.request(method, `/v1/${path}`, {
			...init,
			...(body !== undefined && { body }),
		});
	const partner = await createPartner(api, { partner_type: "reseller" }, init);
	const lead = await createLead(api, partner.uuid, {}, init);
	const own: Body = {
		leads: { partnership_uuid: partner.uuid, company_name: "Initech" },
		deals: { lead_uuid: lead.uuid },
		partners: { name: "Globex", partner_type: "reseller" },
	}[surface];
	const made = async (answer: Promise<Answer>) => {
		const { status, body } = await answer;
		if (status !== 201) throw new Error(JSON.stringify(body));
		return body;
	};
	/** Creates a record with the given values, whatever is answered. */
	const create = (given: readonly Given[] = [], more: Body = {}) =>
		send("POST", surface, { ...own, ...toInline(given), ...more });
	const at = ({ uuid }: { uuid: string }) => `${surface}/${uuid}`;
	return {
		keys,
		partner,
		lead,
		surface,
		category,
		send,
		create,
		/** A custom field of this kind of record. */
		define: (field: Body = {}) =>
			made(
				send("POST", "custom-fields", {
					label: "Field",
					type: "text",
					category,
					...field,
				}),
			),
		/** A rule between two fields. */
		rule: (trigger: { uuid: string }, target: { uuid: string }, rule: Body) =>
			made(
				send("POST", "custom-field-rules", {
					trigger_field_uuid: trigger.uuid,
					target_field_uuid: target.uuid,
					...rule,
				}),
			),
		/** A record with the given values. */
		make: (given: readonly Given[] = [], more: Body = {}) =>
			made(create(given, more)),
		patch: (record: { uuid: string }, given: readonly Given[]) =>
			send("PATCH", at(record), toInline(given)),
		put: (record: { uuid: string }, given: readonly Given[]) =>
			send("PUT", `${at(record)}/custom-fields`, toInline(given)),
		remove: (record: { uuid: string }, field: { uuid: string }) =>
			send("DELETE", `${at(record)}/custom-fields/${field.uuid}`),
		/** The values that a record shows, by their fields' uuids. */
		values: async (record: { uuid: string }) => {
			const { body } = await send("GET", at(record));
			return Object.fromEntries(
				body.custom_fields.map((one: { uuid: string; value: unknown }) => [
					one.uuid,
					one.value,
				]),
			);
		},
	};
}

interface Write {
	readonly path: string;
	write(
		world: FieldWorld,
		record: { uuid: string },
		given: Given,
	): Promise<Answer>;
}

const entityOf = { leads: "lead", deals: "lead_deal", partners: "partner" };

/** Every way to set a value of a record that exists. */
const WRITES: readonly Write[] = [
	{
		path: "inline PATCH",
		write: ({ patch }, record, given) => patch(record, [given]),
	},
	{
		path: "PUT …/custom-fields",
		write: ({ put }, record, given) => put(record, [given]),
	},
	{
		path: "PATCH …/custom-fields",
		write: ({ send, surface }, { uuid }, given) =>
			send("PATCH", `${surface}/${uuid}/custom-fields`, toInline([given])),
	},
	...(["PUT", "PATCH"] as const).map((method) => ({
		path: `${method} …/custom-fields/{subUuid}`,
		write: (
			{ send, surface }: FieldWorld,
			{ uuid }: { uuid: string },
			[field, value]: Given,
		) =>
			send(method, `${surface}/${uuid}/custom-fields/${field.uuid}`, { value }),
	})),
	{
		path: "POST /custom-field-values",
		write: ({ send, surface }, { uuid }, [field, value]) =>
			send("POST", "custom-field-values", {
				custom_field_uuid: field.uuid,
				entity_type: entityOf[surface],
				entity_uuid: uuid,
				value,
			}),
	},
];

/** Every way to delete a value of a record. */
const DELETIONS: readonly {
	readonly path: string;
	remove(
		world: FieldWorld,
		record: { uuid: string },
		field: { uuid: string },
	): Promise<Answer>;
}[] = [
	{
		path: "…/custom-fields/{subUuid}",
		remove: ({ remove }, record, field) => remove(record, field),
	},
	{
		path: "…/custom-fields with uuids in the body",
		remove: ({ send, surface }, { uuid }, field) =>
			send("DELETE", `${surface}/${uuid}/custom-fields`, {
				uuids: [field.uuid],
			}),
	},
	{
		path: "…/custom-fields with uuids in the query",
		remove: ({ send, surface }, { uuid }, field) =>
			send("DELETE", `${surface}/${uuid}/custom-fields?uuids=${field.uuid}`),
	},
	{
		path: "/custom-field-values/{uuid}",
		remove: async ({ send, surface }, { uuid }, field) => {
			const list = await send("GET", `${surface}/${uuid}/custom-fields`);
			const value = list.body.find(
				(one: { uuid: string }) => one.uuid === field.uuid,
			);
			return send("DELETE", `custom-field-values/${value.value_uuid}`);
		},
	},
];

/** Every kind of record with every way of writing. */
export const SURFACE_WRITES = SURFACES.flatMap((row) =>
	WRITES.map((write) => ({ ...row, ...write })),
);
export const SURFACE_DELETIONS = SURFACES.flatMap((row) =>
	DELETIONS.map((deletion) => ({ ...row, ...deletion })),
);

/** The reasons of a refusal, by the fields' uuids. */
const reasonsOf = ({ body }: Answer): Record<string, string> =>
	Object.fromEntries(
		(body.error?.details ?? []).map(
			({ field, reason }: { field: string; reason: string }) => [field, reason],
		),
	);

/** Sees that an answer refuses the given fields, each for its reason, and no others. */
export const expectRefusal = (
	answer: Answer,
	reasons: Record<string, string>,
) => {
	expect(reasonsOf(answer)).toEqual(reasons);
	expect([answer.status, answer.body.error.code]).toEqual([
		400,
		"validation_error",
	]);
};
