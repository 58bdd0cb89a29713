import { operations } from "@partnerwire/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { UNKNOWN_UUID } from "../support/records.ts";
import {
	createTableWorld,
	paramsIn,
	rows,
	type TableWorld,
} from "../support/table-world.ts";
import { validBodyOf } from "../support/valid-body.ts";

let api: Api;
let own: TableWorld;
let foreign: TableWorld;
let foreignKeys: Api["seeded"]["keys"];

beforeAll(async () => {
	api = await openApi();
	foreignKeys = (await api.addCompany()).keys;
	foreign = await createTableWorld(api, foreignKeys.full);
	own = await createTableWorld(api, api.seeded.keys.full);
});
afterAll(() => api.close());

const writes = rows.filter(({ permission }) => permission === "write");
const reads = rows.filter(({ permission }) => permission === "read");
/** The parameters that are ids of records: the others are the same for every company. */
const ofRecords = rows.filter(({ path }) => /\{(?!module\})/.test(path));
const ofSubRecords = rows.filter(({ path }) => path.includes("{subUuid}"));
const UNKNOWN = {
	uuid: UNKNOWN_UUID,
	subUuid: UNKNOWN_UUID,
	integration_id: UNKNOWN_UUID,
	partnershipId: UNKNOWN_UUID,
};

describe("A010 another company's record is not found", () => {
	test.each(ofRecords)("A010 $method $path", async (row) => {
		const params = paramsIn(foreign, row);
		const call = { params, body: validBodyOf(row) };
		const answer = await api.call(row.id, call);
		expect([answer.status, answer.body.error.code]).toEqual([404, "not_found"]);
		const unknown = await api.call(row.id, { ...call, params: UNKNOWN });
		expect(answer.body, "as unknown as none").toEqual(unknown.body);
	});

	test.each(ofSubRecords)(
		"A010 $method $path with a sub-record of the other company",
		async (row) => {
			const { subUuid = "" } = paramsIn(foreign, row);
			const params = { ...paramsIn(own, row), subUuid };
			const answer = await api.call(row.id, { params, body: validBodyOf(row) });
			expect([answer.status, answer.body.error.code]).toEqual([
				404,
				"not_found",
			]);
		},
	);

	test("A010 its own company still reads its records", async () => {
		const key = foreignKeys.read;
		for (const id of ["getPartner", "getLead", "getDeal"] as const) {
			const params = paramsIn(foreign, operations[id]);
			const { body } = await api.call(id, { key, params });
			expect(body).toMatchObject({ uuid: params.uuid, archived_at: null });
		}
	});

	test.each(reads.filter(({ path }) => !path.includes("{")))(
		"A010 $path shows none of them",
		async (row) => {
			const { body } = await api.call(row.id, { query: "?per_page=100" });
			const shown = JSON.stringify(body);
			for (const uuid of foreign.uuids.values())
				expect(shown).not.toContain(uuid);
		},
	);

	test("A010 in a body it is a 400 with the words of an unknown record", async () => {
		const create = async (uuid: string) =>
			(await api.call("createLead", { body: { partnership_uuid: uuid } })).body;
		const answer = await create(foreign.uuids.get("/v1/partners") as string);
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
				params: UNKNOWN,
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
