import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { createPartner, UNKNOWN_UUID } from "../support/records.ts";
import { DISTRIBUTOR, isUuidOfNoRecord } from "../support/references.ts";
import {
	bodyIn,
	createTableWorld,
	paramsIn,
	rows,
	type TableWorld,
} from "../support/table-world.ts";
import { referringBodyOf, validBodyOf } from "../support/valid-body.ts";

/** The audit log tells foreign keys as labels (spec 1.3.0): of every operation, with every reference that it may have. */
let api: Api;
let world: TableWorld;
/** Members that a second call of an operation must change. */
const others: Record<string, object> = {};
beforeAll(async () => {
	api = await openApi();
	world = await createTableWorld(api, api.seeded.keys.full);
	const { body } = await api.request("GET", "/v1/users");
	others.createCertificationEnrollment = { user_uuid: body.data[1].uuid };
	others.updateCustomFieldRule = { lock: false, operator: "is_not_blank" };
	others.addDealPartner = { partnership_uuid: world.uuids.get(DISTRIBUTOR) };
});
afterAll(() => api.close());

const sizeOf = (body: object | undefined) => JSON.stringify(body ?? {}).length;
/** The rows whose bodies may refer to more than they must. */
const referring = rows.filter(
	(row) =>
		row.mode !== "read" &&
		(row.method === "PATCH"
			? /_uuid/.test(JSON.stringify(referringBodyOf(row) ?? {}))
			: sizeOf(referringBodyOf(row)) > sizeOf(validBodyOf(row))),
);

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
function bareUuids(value: unknown, at = ""): string[] {
	if (typeof value === "string" && UUID.test(value)) return [at];
	if (typeof value !== "object" || value === null) return [];
	return Object.entries(value).flatMap(([name, inner]) =>
		isUuidOfNoRecord(name) ? [] : bareUuids(inner, `${at}/${name}`),
	);
}

async function readUnlabelled(): Promise<string[]> {
	const { query, tables } = api.service.store.read;
	const entries = await query.select().from(tables.audit);
	return entries.flatMap(({ entity, action, changes }) =>
		changes.flatMap(({ field, old, new: now }) =>
			bareUuids([old, now], `${entity} ${action} ${field}`),
		),
	);
}

test("no entry of the world's own records holds a bare uuid", async () => {
	expect(await readUnlabelled()).toEqual([]);
});

test.each(referring)("$id tells its references by labels", async (row) => {
	const body = {
		...bodyIn(world, row, referringBodyOf(row)),
		...others[row.id],
	};
	const { status, body: answer } = await api.call(row.id, {
		params: paramsIn(world, row),
		body,
	});
	expect({ status, answer, body }).toEqual({
		status: row.status,
		answer,
		body,
	});
	expect(JSON.stringify(body)).not.toContain(UNKNOWN_UUID);
	expect(await readUnlabelled()).toEqual([]);
});

test("a lead is told by whatever name it has, never by its uuid", async () => {
	const partner = await createPartner(api);
	const nameless = { company_name: null, email: null };
	const names = { first_name: "Ann", last_name: "Lee" };
	const none = { first_name: null, last_name: null };
	for (const [given, label] of [
		[names, "Ann Lee"],
		[none, "(no name)"],
	] as const) {
		const { body: lead } = await api.call("createLead", {
			body: { partnership_uuid: partner.uuid, ...nameless, ...given },
		});
		const { body: deal } = await api.call("createDeal", {
			body: { lead_uuid: lead.uuid },
		});
		const { body } = await api.call("listAuditLog", {
			query: `?entity_uuid=${deal.uuid}`,
		});
		expect(body.data[0].changes).toContainEqual(
			expect.objectContaining({
				field: "lead",
				new: label,
				ref_uuid: lead.uuid,
			}),
		);
	}
});
