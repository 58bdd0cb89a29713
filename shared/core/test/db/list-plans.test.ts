import {
	MAX_UUID,
	type Operation,
	type OperationId,
	operations,
} from "@partnerwire/contract";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type * as z from "zod";
import {
	addIntegration,
	addPartner,
	openTestCore,
	type TestCore,
} from "#kit/database/open-core.ts";
import { foldText } from "../../src/values/fold-case.ts";
import {
	FILTER_VALUES,
	filterCases,
	filterValue,
	LISTS,
	type ListId,
} from "../support/list-filters.ts";

/** Filters that read the company's list in order: their column has few values, and no index of its own here. */
const WALKS = [
	"listProducts status",
	"listProducts billing_type",
	"listTasks status",
	"listTasks priority",
	"listTasks search",
];
const isWalk = (id: string, filter: string) =>
	filter === "archived" ||
	WALKS.includes(`${id} ${filter}`) ||
	id === "listIntegrations" ||
	(id === "listAuditLog" && filter !== "entity_uuid");

const sortsOf = ({ query }: Operation): string[] => {
	const { sort } = (query as z.ZodObject).shape;
	return sort
		? (sort as z.ZodOptional<z.ZodEnum>).unwrap().options.map(String)
		: [];
};
// Audit entries never change, so `created_at` and `updated_at` are the same column.
const sorts = (Object.keys(LISTS) as ListId[]).flatMap((id) =>
	id === "listAuditLog"
		? []
		: sortsOf(operations[id]).map((sort) => ({ id, sort, table: LISTS[id] })),
);

let core: TestCore;
let file: Sqlite.Database;
beforeAll(async () => {
	core = await openTestCore();
	file = new Sqlite(core.path, { readonly: true });
	file.function("fold", { deterministic: true }, (text) =>
		foldText(String(text)),
	);
});
afterAll(async () => {
	file.close();
	await core.close();
});

/** SQLite's plan of each statement of a list. */
async function plansOf(id: OperationId, query: object): Promise<string[]> {
	const prepare = vi.spyOn(Sqlite.prototype, "prepare");
	// No statement with this filter is prepared yet, so the spy sees all of them.
	await core.execute(id, async () => ({ query }), core.caller);
	const statements = prepare.mock.calls.map(([sql]) => sql);
	prepare.mockRestore();
	return statements.flatMap((sql) => {
		const values = Array.from(sql.match(/\?/g) ?? [], () => 0);
		const plan = file.prepare(`explain query plan ${sql}`).all(...values);
		return (plan as { detail: string }[]).map(({ detail }) => detail);
	});
}

/** Short lists, which are counted, and reports, which read all rows that they count. They scan no table either. */
const OTHERS = [
	"listResources",
	"listCertifications",
	"listRooms",
	"listEnrollmentAnalytics",
	"getLmsSummary",
	"listPartnerAnalytics",
	"getLeadsTimeline",
	"listPartnerEngagement",
	"listCommissionAnalytics",
] as const;
const OTHER_VALUES: Record<string, unknown> = {
	...FILTER_VALUES,
	type: "partner",
	live: true,
	visibility: "all",
	folder_uuids: MAX_UUID,
	partner_uuids: MAX_UUID,
	lead_direction: "sent",
	period: "last_month",
	end_date: undefined,
	start_date: undefined,
	status: "failed",
	limit: 5,
};

/** A scan of a table or an index. Scans of a text index's matches or of a subquery's rows do not count. */
const isScan = (plan: string) => /^SCAN (?!\w+ VIRTUAL|\(subquery)/.test(plan);

describe("no filter scans a table", () => {
	test.each(filterCases)("$id $filter", async ({ id, filter, table }) => {
		const value = filterValue(id, filter);
		expect(value, "a value for the filter").toBeDefined();
		const plans = await plansOf(id, { [filter]: value });
		expect(plans.filter(isScan)).toEqual([]);
		const searches = plans.filter((plan) => plan.includes(`SEARCH ${table} `));
		expect(searches.length).toBeGreaterThan(0);
		if (isWalk(id, filter)) return;
		// An index of the filter finds the rows, not one of the company's whole list.
		expect(searches.join("\n")).not.toMatch(
			/_(live|archived|updated|name|label|title|list) /,
		);
	});
});

test("integrations come in their order from an index, what they did from their rollups, and of deliveries only the index of those given up is read", async () => {
	await addIntegration(core, core.caller);
	const plans = await plansOf("listIntegrations", {});
	const plansWith = (name: string) =>
		plans.filter((plan) => plan.includes(`${name} USING`));
	// The keys of the page, the page, the total, and the integrations whose deliveries were given up.
	expect(plansWith("SEARCH integration")).toEqual([
		expect.stringMatching(/COVERING INDEX integration_live /),
		expect.stringMatching(/INDEX integration_uuid \(uuid=\?\)/),
		expect.stringMatching(/COVERING INDEX integration_live /),
		expect.stringMatching(/INTEGER PRIMARY KEY \(rowid=\?\)/),
	]);
	expect(plansWith("SEARCH delivery")).toEqual([
		expect.stringMatching(
			/COVERING INDEX delivery_ended \(integration_id=\? AND state=\?\)/,
		),
	]);
	expect(plansWith("SEARCH delivery_rollup")).toEqual([
		expect.stringMatching(
			/INDEX delivery_rollup_hour \(integration_id=\? AND hour_at>\?\)/,
		),
	]);
	// `found` is the subquery with the few rows that are counted.
	const others = /event |attempt |USE TEMP B-TREE|^SCAN (?!found$)/;
	expect(plans.filter((plan) => others.test(plan))).toEqual([]);
	const query = { attention: true, status: "active" };
	const attention = await plansOf("listIntegrations", query);
	expect(attention.join()).toMatch(/INDEX integration_attention /);
});

describe("an unfiltered list is read in its order, and not counted", () => {
	test.each(sorts)("$id $sort", async ({ id, sort, table }) => {
		const plans = await plansOf(id, { sort });
		expect(plans.filter(isScan)).toEqual([]);
		const searches = plans.filter((plan) => plan.includes(`SEARCH ${table} `));
		// One for the page, none for the total. Joined tables are read by the keys of the page's rows, and it has none.
		expect(searches).toHaveLength(1);
		expect(plans.join("\n")).not.toContain("USE TEMP B-TREE FOR ORDER BY");
	});
});

test.each(OTHERS)(
	"%s scans no table, whatever it is filtered by",
	async (id) => {
		const filters = Object.keys(operations[id].query.shape).filter(
			(name) => !["page", "per_page", "sort"].includes(name),
		);
		const queries = filters.map((name) => {
			expect(Object.keys(OTHER_VALUES)).toContain(name);
			return { [name]: OTHER_VALUES[name] };
		});
		await addPartner(core, core.caller);
		let searches = 0;
		for (const query of [{}, ...queries]) {
			const plans = await plansOf(id, query);
			expect([query, plans.filter(isScan)]).toEqual([query, []]);
			searches += plans.filter((plan) => plan.startsWith("SEARCH ")).length;
		}
		expect(searches).toBeGreaterThan(filters.length);
	},
);
