import {
	MAX_UUID,
	type Operation,
	type OperationId,
	operations,
} from "@partnerwire/contract";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { z } from "zod";
import { foldText } from "../src/values/fold-case.ts";
import {
	FILTER_VALUES,
	filterCases,
	filterValue,
	LISTS,
	type ListId,
} from "./support/list-filters.ts";
import {
	addIntegration,
	addPartner,
	openTestCore,
	type TestCore,
} from "./support/open-core.ts";

/** Filters that walk the company's list in order: their column has few values, and no index of its own here. */
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
// An entry of the audit log never changes: both times are one.
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

/** What SQLite does for each statement of a list. */
async function plansOf(id: OperationId, query: object): Promise<string[]> {
	const prepare = vi.spyOn(Sqlite.prototype, "prepare");
	// No statement of this company and filter is prepared yet, so all of them pass here.
	await core.execute(id, async () => ({ query }), core.caller);
	const statements = prepare.mock.calls.map(([sql]) => sql);
	prepare.mockRestore();
	return statements.flatMap((sql) => {
		const values = Array.from(sql.match(/\?/g) ?? [], () => 0);
		const plan = file.prepare(`explain query plan ${sql}`).all(...values);
		return (plan as { detail: string }[]).map(({ detail }) => detail);
	});
}

/** Lists of few rows, which are counted, and reports, which have to read what they count: they scan nothing either. */
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

/** Of a table or an index; neither of a text index's matches nor of what a subquery found. */
const isScan = (plan: string) => /^SCAN (?!\w+ VIRTUAL|\(subquery)/.test(plan);

describe("no filter scans a table", () => {
	test.each(filterCases)("$id $filter", async ({ id, filter, table }) => {
		const value = filterValue(id, filter);
		expect(value, "a value for the filter").toBeDefined();
		const plans = await plansOf(id, { [filter]: value });
		expect(plans.filter(isScan)).toEqual([]);
		const own = plans.filter((plan) => plan.includes(`SEARCH ${table} `));
		expect(own.length).toBeGreaterThan(0);
		if (isWalk(id, filter)) return;
		// Rows come by the filter, not by the company's whole list.
		expect(own.join("\n")).not.toMatch(
			/_(live|archived|updated|name|label|title|list) /,
		);
	});
});

test("integrations come in their order from an index, what they did from their rollups, and of deliveries only the index of those given up is read", async () => {
	await addIntegration(core, core.caller);
	const plans = await plansOf("listIntegrations", {});
	const of = (name: string) =>
		plans.filter((plan) => plan.includes(`${name} USING`));
	// The keys of the page, the page, the total, and those whose deliveries were given up.
	expect(of("SEARCH integration")).toEqual([
		expect.stringMatching(/COVERING INDEX integration_live /),
		expect.stringMatching(/INDEX integration_uuid \(uuid=\?\)/),
		expect.stringMatching(/COVERING INDEX integration_live /),
		expect.stringMatching(/INTEGER PRIMARY KEY \(rowid=\?\)/),
	]);
	expect(of("SEARCH delivery")).toEqual([
		expect.stringMatching(
			/COVERING INDEX delivery_ended \(integration_id=\? AND state=\?\)/,
		),
	]);
	expect(of("SEARCH delivery_rollup")).toEqual([
		expect.stringMatching(
			/INDEX delivery_rollup_hour \(integration_id=\? AND hour_at>\?\)/,
		),
	]);
	// The few that were found there are counted.
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
		const own = plans.filter((plan) => plan.includes(`SEARCH ${table} `));
		// One for the page, none for the total; what a page shows of its rows is read by their keys, and there are none.
		expect(own).toHaveLength(1);
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
