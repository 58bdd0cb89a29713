import {
	afterAll,
	beforeAll,
	beforeEach,
	describe,
	expect,
	test,
} from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { createPartner } from "../support/records.ts";

let api: Api;
let partner: { uuid: string; name: string };

beforeAll(async () => {
	api = await openApi();
});
afterAll(() => api.close());
beforeEach(async () => {
	partner = await createPartner(api);
});

const post = (path: string, body: object = {}) =>
	api.request("POST", `/v1${path}`, { body });
const get = async (path: string) =>
	(await api.request("GET", `/v1${path}`)).body;
const patch = (path: string, body: object) =>
	api.request("PATCH", `/v1${path}`, { body });
const remove = (path: string) => api.request("DELETE", `/v1${path}`);

describe("domains", () => {
	const at = () => `/partners/${partner.uuid}/domains`;
	const shown = async () =>
		(await get(`/partners/${partner.uuid}`)).domains.map(
			(one: { domain: string; is_primary: boolean }) => [
				one.domain,
				one.is_primary,
			],
		);
	const nameOf = (n: number) => `d${n}-${partner.uuid}.example`;

	test("exactly one is primary, through every change", async () => {
		const { body: first } = await post(at(), { domain: nameOf(1) });
		expect(first.is_primary).toBe(true);
		const { body: second } = await post(at(), {
			domain: nameOf(2).toUpperCase(),
			is_primary: true,
		});
		expect(second).toMatchObject({ domain: nameOf(2), is_primary: true });
		expect(await shown()).toEqual([
			[nameOf(2), true],
			[nameOf(1), false],
		]);
		const kept = await patch(`${at()}/${second.uuid}`, { is_primary: false });
		expect(kept.body).toEqual(second);
		await patch(`${at()}/${first.uuid}`, { is_primary: true });
		expect((await shown())[0]).toEqual([nameOf(1), true]);
		await remove(`${at()}/${first.uuid}`);
		expect(await shown()).toEqual([[nameOf(2), true]]);
	});

	test("a domain that stops or becomes primary by another's change is updated, and audited, too", async () => {
		const { body: first } = await post(at(), { domain: nameOf(1) });
		api.clock.advance(1000);
		const { body: second } = await post(at(), { domain: nameOf(2) });
		const changesOf = async ({ uuid }: { uuid: string }) => {
			const { data } = await get(`/audit-log?entity_uuid=${uuid}`);
			return data.flatMap(
				(entry: { changes: { field: string; new: unknown }[] }) =>
					entry.changes
						.filter(({ field }) => field === "is_primary")
						.map(({ new: now }) => now),
			);
		};
		api.clock.advance(1000);
		const { body: third } = await post(at(), {
			domain: nameOf(3),
			is_primary: true,
		});
		expect(await changesOf(first)).toEqual([false, true]);
		const byUuid = async () =>
			Object.fromEntries(
				(await get(at())).map((one: { uuid: string }) => [one.uuid, one]),
			);
		const moved = (await byUuid())[first.uuid];
		expect(moved.updated_at).toBe(third.updated_at);
		api.clock.advance(1000);
		await remove(`${at()}/${third.uuid}`);
		expect(await changesOf(first)).toEqual([true, false, true]);
		const now = await byUuid();
		expect(now[first.uuid].updated_at > moved.updated_at).toBe(true);
		// Another record's change leaves it as it was.
		expect(now[second.uuid]).toEqual(second);
	});

	test("a domain names one partner, and must be one", async () => {
		await post(at(), { domain: nameOf(1) });
		const other = await createPartner(api);
		const taken = await post(`/partners/${other.uuid}/domains`, {
			domain: nameOf(1),
		});
		expect(taken.status).toBe(409);
		expect(taken.body.error.message).toContain(partner.name);
		for (const domain of ["localhost", "https://x.example", "x example.com"])
			expect((await post(at(), { domain })).status).toBe(400);
	});
});
