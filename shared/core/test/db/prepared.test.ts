import { asc, eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import {
	addIntegration,
	addPartner,
	openTestCore,
	type TestCore,
} from "#kit/database/open-core.ts";
import { alias } from "../../src/db/alias.ts";
import type { Db } from "../../src/db/db.ts";
import { defineQuery } from "../../src/db/prepared.ts";

let core: TestCore;
beforeAll(async () => {
	core = await openTestCore();
	const { caller } = core;
	const partnership_uuid = await addPartner(core, caller, "O'Hara ? \\ \" 😀");
	await addIntegration(core, caller, { event_ids: [] });
	await addIntegration(core, caller, { retry_schedule: [0, 15] });
	for (const stage of [true, false]) {
		const { uuid } = await core.execute(
			"createLeadStage",
			{ body: { label: `Stage ${stage}`, partner_type: "referral" } },
			caller,
		);
		const body = { partnership_uuid, ...(stage && { stage_uuid: uuid }) };
		await core.execute("createLead", { body }, caller);
	}
});

type Build = (
	db: Db,
) => Parameters<typeof defineQuery>[1] extends (db: Db) => infer Query
	? Query
	: never;

/** Every shape of answer that drizzle gives. The prepared query must give the same. */
const SHAPES: Record<string, Build> = {
	"a whole row, with times, numbers, flags, lists and nulls": ({
		query,
		tables: { integration },
	}) => query.select().from(integration).orderBy(asc(integration.id)),
	"named members and expressions": ({ query, tables: { partner } }) =>
		query
			.select({
				name: partner.name,
				length: sql<number>`length(${partner.name})`,
				twice: sql<string>`${partner.name} || ${"?'\\"}`.as("twice"),
				mapped: sql`${partner.createdAt}`.mapWith((ms) => new Date(ms)),
			})
			.from(partner),
	"objects, of which an outer join finds none": ({
		query,
		tables: { lead, partner, stage },
	}) => {
		const other = alias(stage, "other");
		return query
			.select({
				row: lead,
				partner: { uuid: partner.uuid, name: partner.name },
				stage: { uuid: stage.uuid, label: stage.label },
				other,
				mixed: { lead: lead.email, stage: stage.label },
				count: sql<number>`1`,
			})
			.from(lead)
			.innerJoin(partner, eq(partner.uuid, lead.partnershipUuid))
			.leftJoin(stage, eq(stage.id, lead.stageId))
			.leftJoin(other, eq(other.id, lead.stageId))
			.orderBy(asc(lead.uuid));
	},
	"a whole join": ({ query, tables: { lead, stage } }) =>
		query
			.select()
			.from(lead)
			.leftJoin(stage, eq(stage.id, lead.stageId))
			.orderBy(asc(lead.uuid)),
	"constants of every type, and a limit": ({
		query,
		tables: { apiKey, partner },
	}) =>
		query
			.select({ key: apiKey.label, partner: partner.name })
			.from(apiKey)
			.innerJoin(partner, eq(partner.name, "O'Hara ? \\ \" 😀"))
			.where(eq(apiKey.read, true))
			.limit(1),
	"what an update answers": ({ query, tables: { partner } }) =>
		query
			.update(partner)
			.set({ description: "It's ?" })
			.returning({ uuid: partner.uuid, description: partner.description }),
};

describe("a prepared query answers what drizzle answers", () => {
	test.each(Object.entries(SHAPES))("%s", async (name, build) => {
		const prepared = defineQuery(name, build);
		await core.store.write(async (db) => {
			const expected = (await build(db)) as unknown[];
			expect(expected.length).toBeGreaterThan(0);
			expect(await prepared(db)).toEqual(expected);
			expect(await prepared(db)).toEqual(expected);
		});
	});
});

const echo = defineQuery("echo", ({ query, tables: { integration } }) =>
	query
		.select({ label: integration.label })
		.from(integration)
		.where(
			sql`${sql.placeholder("first")} = 1 and ${sql.placeholder("second")} is null`,
		),
);

test("values are bound by name, null included", async () => {
	const { read } = core.store;
	expect(await echo(read, { second: null, first: 1 })).toHaveLength(2);
	expect(await echo(read, { second: null, first: 2 })).toHaveLength(0);
});

test("a value that is missing is refused by name", async () => {
	await expect(echo(core.store.read, { first: 1 })).rejects.toThrow(
		"the query needs a value for second",
	);
});
