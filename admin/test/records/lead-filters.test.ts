import type { Lead } from "@partnerwire/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { createLead, createPartner } from "../support/records.ts";

/** Every combination of the filters of leads finds what plain JavaScript finds in all of them. */
interface Filter {
	query: string;
	finds(lead: Lead): boolean;
}

const LEADS = 48;
let api: Api;
let leads: Lead[];
let filters: Filter[];
beforeAll(async () => {
	api = await openApi();
	const make = async (path: string, body: object) =>
		(await api.request("POST", `/v1${path}`, { body })).body;
	const [one, other] = [await createPartner(api), await createPartner(api)];
	const stages = (await api.call("listLeadStages")).body.slice(0, 2);
	const users = (await api.call("listUsers")).body.data.slice(0, 2);
	const tags = [
		await make("/tags", { label: "Warm", type: "lead" }),
		await make("/tags", { label: "Cold", type: "lead" }),
	];
	for (let n = 0; n < LEADS; n++) {
		// Numbers without a common divisor, so that every pair of values meets.
		const { uuid } = await createLead(api, (n % 2 ? one : other).uuid, {
			company_name: `${n % 3 ? "Fjord" : "Heath"} ${n % 5} Ltd`,
			status: n % 3 === 1 ? "qualified" : "new",
			direction: n % 4 > 1 ? "sent" : null,
			stage_uuid: stages[n % 5]?.uuid ?? null,
		});
		const at = `/leads/${uuid}`;
		if (tags[n % 3]) await make(`${at}/tags`, { tag_uuid: tags[n % 3].uuid });
		if (users[n % 4])
			await make(`${at}/users`, { user_uuid: users[n % 4].uuid });
		if (n % 7 === 0) await api.request("DELETE", `/v1${at}`);
		if (n % 2) api.clock.advance(1);
	}
	leads = [];
	for (const archived of [false, true]) {
		const query = `?per_page=100&archived=${archived}`;
		leads.push(...(await api.call("listLeads", { query })).body.data);
	}
	const [stage, second] = stages;
	filters = [
		{
			query: "search=fJORD",
			finds: ({ company_name }) => company_name?.startsWith("Fjord") ?? false,
		},
		{
			query: `partnership_uuid=${one.uuid}`,
			finds: ({ partnership }) => partnership.uuid === one.uuid,
		},
		{ query: "status=new", finds: ({ status }) => status === "new" },
		{ query: "direction=sent", finds: (lead) => lead.direction === "sent" },
		{
			query: `stage_uuids=${stage.uuid},${second.uuid}`,
			finds: (lead) =>
				[stage.uuid, second.uuid].includes(lead.stage?.uuid ?? ""),
		},
		{
			query: `tag_uuids=${tags[0].uuid}`,
			finds: (lead) => lead.tags.some(({ uuid }) => uuid === tags[0].uuid),
		},
		{
			query: `assigned_user_uuid=${users[0].uuid}`,
			finds: (lead) =>
				lead.assigned_users.some(({ uuid }) => uuid === users[0].uuid),
		},
	];
});
afterAll(() => api.close());

/** Orders of lists; what is equal in them goes by uuid. */
const SORTS = ["-created_at", "created_at", "-updated_at", "updated_at"];
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
function toSorted(found: Lead[], sort: string): string[] {
	const member = sort.replace("-", "") as "created_at" | "updated_at";
	const sign = sort.startsWith("-") ? -1 : 1;
	return found
		.sort(
			(a, b) => sign * compare(a[member], b[member]) || compare(a.uuid, b.uuid),
		)
		.map(({ uuid }) => uuid);
}

test("all subsets of the filters, archived or not, in every order", async () => {
	expect(leads).toHaveLength(LEADS);
	for (let subset = 0; subset < 2 ** 7; subset++) {
		const chosen = filters.filter((_, index) => subset & (1 << index));
		for (const archived of [false, true]) {
			// Each subset in another order than the one before: all of them would be a thousand requests.
			const sort = SORTS[(subset + Number(archived)) % SORTS.length] as string;
			const parts = chosen.map(({ query }) => query);
			const query = [...parts, `archived=${archived}`, `sort=${sort}`].join(
				"&",
			);
			const { body } = await api.call("listLeads", {
				query: `?per_page=100&${query}`,
			});
			const found = leads.filter(
				(lead) =>
					(lead.archived_at !== null) === archived &&
					chosen.every(({ finds }) => finds(lead)),
			);
			expect([
				query,
				body.pagination.total,
				body.data.map(({ uuid }: Lead) => uuid),
			]).toEqual([query, found.length, toSorted(found, sort)]);
		}
	}
});
