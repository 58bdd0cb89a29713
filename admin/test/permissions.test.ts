import {
	OPERATION_IDS,
	type Operation,
	operations,
} from "@partnerwire/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, openApi } from "./support/api.ts";
import {
	createOneOfEach,
	type OneOfEach,
	UNKNOWN_UUID,
} from "./support/records.ts";
import { validBodyOf } from "./support/valid-body.ts";

let api: Api;
let foreign: OneOfEach;
let foreignKeys: Api["seeded"]["keys"];

beforeAll(async () => {
	api = await openApi();
	foreignKeys = (await api.addCompany()).keys;
	foreign = await createOneOfEach(api, foreignKeys.full);
});
afterAll(() => api.close());

const rows = OPERATION_IDS.map((id) => ({
	id,
	...(operations[id] as Operation),
}));
const writes = rows.filter(({ permission }) => permission === "write");
const reads = rows.filter(({ permission }) => permission === "read");
const ofRecords = rows.filter(({ path }) => path.includes("{"));

/** The path parameters that lead to a record of the other company. */
function foreignParams({ path }: Operation): Record<string, string> {
	const parent = /^\/v1\/([\w-]+)/.exec(path)?.[1];
	const byParent: Record<string, { uuid: string }> = {
		leads: foreign.lead,
		deals: foreign.deal,
		partners: foreign.partner,
		partner: foreign.partner,
		products: foreign.product,
		"api-keys": foreign.apiKey,
		"webhook-events": foreign.webhookEvent,
	};
	const uuid = byParent[parent ?? ""]?.uuid ?? UNKNOWN_UUID;
	const note = parent === "leads" ? foreign.leadNote : foreign.dealNote;
	return {
		uuid,
		subUuid: note.uuid,
		integration_id: foreign.integration.id,
		partnershipId: foreign.partner.uuid,
	};
}

describe("A010 another company's record is not found", () => {
	test.each(ofRecords)("A010 $method $path", async (row) => {
		const call = { params: foreignParams(row), body: validBodyOf(row) };
		const answer = await api.call(row.id, call);
		expect([answer.status, answer.body.error.code]).toEqual([404, "not_found"]);
		const unknown = await api.call(row.id, {
			...call,
			params: {
				uuid: UNKNOWN_UUID,
				subUuid: UNKNOWN_UUID,
				integration_id: UNKNOWN_UUID,
				partnershipId: UNKNOWN_UUID,
			},
		});
		expect(answer.body, "as unknown as none").toEqual(unknown.body);
	});

	test("A010 its own company still reads each of them unchanged", async () => {
		const { lead, integration } = foreign;
		const key = foreignKeys.read;
		const params = { uuid: lead.uuid, integration_id: integration.id };
		const { body } = await api.call("getLead", { key, params });
		expect(body).toEqual(lead);
		const { integration_uuid, ...shown } = integration;
		const answer = await api.call("getIntegration", { key, params });
		expect(answer.body).toEqual(shown);
	});

	test.each(["partners", "leads", "deals", "integrations", "api-keys"])(
		"A010 /v1/%s lists none of them",
		async (name) => {
			const { body } = await api.request("GET", `/v1/${name}?per_page=100`);
			const hidden = Object.values(foreign).map(
				(record) => record.uuid ?? record.id,
			);
			for (const { uuid, id } of body.data)
				expect(hidden).not.toContain(uuid ?? id);
		},
	);

	test("A010 in a body it is a 400 with the words of an unknown record", async () => {
		const create = async (uuid: string) =>
			(await api.call("createLead", { body: { partnership_uuid: uuid } })).body;
		const answer = await create(foreign.partner.uuid);
		expect(answer).toEqual(await create(UNKNOWN_UUID));
		expect(answer.error.code).toBe("validation_error");
		expect(answer.error.message).toContain("body/partnership_uuid");
	});
});

describe("permissions", () => {
	test.each(writes)(
		"A027 a read-only key gets 403 on $method $path",
		async (row) => {
			const answer = await api.call(row.id, {
				key: api.seeded.keys.read,
				params: { uuid: UNKNOWN_UUID },
				body: validBodyOf(row),
			});
			expect([answer.status, answer.body.error.code]).toEqual([
				403,
				"forbidden",
			]);
		},
	);

	test.each(reads)(
		"A096 a write-only key gets 403 on $method $path",
		async (row) => {
			const answer = await api.call(row.id, { key: api.seeded.keys.write });
			expect([answer.status, answer.body.error.code]).toEqual([
				403,
				"forbidden",
			]);
		},
	);

	test("A027 the body of a refused caller is not even looked at", async () => {
		const answer = await api.call("createLead", {
			key: api.seeded.keys.read,
			body: "{malformed",
		});
		expect(answer.status).toBe(403);
	});

	test("A097 a key with both permissions reads and writes", async () => {
		const key = api.seeded.keys.full;
		const body = { name: "Umbrella", partner_type: "reseller" };
		const { body: partner } = await api.call("createPartner", { key, body });
		const params = { uuid: partner.uuid };
		expect((await api.call("getPartner", { key, params })).body).toEqual(
			partner,
		);
	});
});
