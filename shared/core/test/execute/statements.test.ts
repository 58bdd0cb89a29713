// How many statements operations take: on PostgreSQL each is a round trip over the network, a BEGIN with its lock is one.
import type { OperationId } from "@partnerwire/contract";
import Sqlite from "better-sqlite3";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
	addIntegration,
	addPartner,
	openTestCore,
	type TestCore,
} from "#kit/database/open-core.ts";

let core: TestCore;
let partner: string;
let lead: string;
let stage: string;

const run = (id: OperationId, input: object) =>
	core.execute(id, input as never, core.caller) as Promise<{ uuid: string }>;

beforeAll(async () => {
	core = await openTestCore();
	partner = await addPartner(core, core.caller);
	await addIntegration(core, core.caller);
	await addIntegration(core, core.caller);
	const body = { partnership_uuid: partner };
	lead = (await run("createLead", { body })).uuid;
	stage = (
		await run("createLeadStage", {
			body: { label: "New", partner_type: "referral" },
		})
	).uuid;
});
afterAll(() => core.close());

/** Counts the messages to PostgreSQL, or the executions on SQLite, while `work` runs. */
async function countStatements(work: () => Promise<unknown>): Promise<number> {
	const statement = Object.getPrototypeOf(
		new Sqlite(":memory:").prepare("select 1"),
	);
	const spies = [
		vi.spyOn(pg.Client.prototype, "query"),
		...(["all", "get", "run"] as const).map((way) => vi.spyOn(statement, way)),
	];
	try {
		await work();
		const calls = spies
			.flatMap((spy) => spy.mock.calls)
			.map((call) => JSON.stringify(call));
		const count = (pattern: RegExp) =>
			calls.filter((call) => pattern.test(call)).length;
		// Waking workers is not part of the request. A snapshot's BEGIN goes with its first statement, and nobody waits for
		// its COMMIT.
		return calls.length - count(/notify/i) - 2 * count(/repeatable read/);
	} finally {
		for (const spy of spies) spy.mockRestore();
	}
}

const body = () => ({ partnership_uuid: partner, company_name: "Globex" });
const changed = (more: object) => ({ params: { uuid: lead }, body: more });
const OPERATIONS: [id: OperationId, toInput: () => object, most: number][] = [
	["getLead", () => ({ params: { uuid: lead } }), 2],
	["getPartner", () => ({ params: { uuid: partner } }), 2],
	["getAccount", () => ({}), 1],
	["createLead", () => ({ body: body() }), 6],
	["createLead", () => ({ body: { ...body(), stage_uuid: stage } }), 7],
	["updateLead", () => changed({ company_name: `${Math.random()}` }), 6],
	["updateLead", () => changed({ stage_uuid: stage }), 7],
	["updateLead", () => changed({ stage_uuid: null }), 6],
	["updateLead", () => changed({}), 4],
	[
		"createPartner",
		() => ({ body: { name: "A", partner_type: "referral" } }),
		5,
	],
	[
		"updatePartner",
		() => ({ params: { uuid: partner }, body: { name: `${Math.random()}` } }),
		6,
	],
	["createDeal", () => ({ body: { lead_uuid: lead, label: "D" } }), 8],
	["archiveLead", () => ({ params: { uuid: lead } }), 6],
	["restoreLead", () => ({ params: { uuid: lead } }), 6],
];

test.each(OPERATIONS)("%s takes few statements", async (id, toInput, most) => {
	const input = toInput();
	// SQLite adds two subscribers' rows one by one, in microseconds.
	const rows = core.store.read.postgres ? 0 : 6;
	const count = await countStatements(() => run(id, input));
	expect(count).toBeGreaterThan(0);
	expect(count, `${id} took ${count}`).toBeLessThanOrEqual(most + rows);
});
