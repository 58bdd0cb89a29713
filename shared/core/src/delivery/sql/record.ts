// The statements that record results. PostgreSQL takes all results in one statement each, because each statement is a
// round trip over the network. On SQLite a statement for each result is faster: with a JSON list, finishing took 1.4
// times as long, and inserting attempts 4 times.
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/db.ts";
import { insertRow, type NewRowOf } from "../../db/insert-row.ts";
import { defineQuery } from "../../db/prepared.ts";
import { toColumns, toParameters } from "../../db/row-values.ts";
import { CLOCK_SKEW_MS } from "../../values/clock-skew.ts";
import { keyOfClaim } from "./lock-deliveries.ts";

const FINISH = {
	id: "bigint",
	lease: "bigint",
	state: "text",
	stays: "bigint",
	dueAt: "bigint",
	dueRule: "text",
	passAt: "bigint",
	lastError: "text",
	finishedAt: "bigint",
} as const;

/** A delivery's new values after an attempt, written only under its newest lease. */
export type Finish = {
	readonly id: number;
	readonly lease: number;
	readonly state: string;
	/** Whether it stays in its place of the lane, 1 or 0. */
	readonly stays: 1 | 0;
	readonly dueAt: number;
	readonly dueRule: string | null;
	readonly passAt: number | null;
	readonly lastError: string | null;
	readonly finishedAt: number | null;
};

/** The changes of a finish, and the row that they are for. `r` has the values, as parameters or as columns. */
const toChanges = (
	{ delivery }: Db["tables"],
	r: Record<keyof typeof FINISH, SQL>,
) => ({
	set: {
		state: r.state,
		ready: sql`${delivery.ready} and ${r.stays} = 1`,
		dueAt: r.dueAt,
		dueRule: r.dueRule,
		passAt: sql`case when ${delivery.passed} then null else coalesce(${delivery.passAt}, ${r.passAt}) end`,
		attempts: sql`${delivery.attempts} + 1`,
		leaseUntil: null,
		workerId: null,
		lastError: r.lastError,
		finishedAt: r.finishedAt,
	},
	where: and(
		eq(delivery.id, r.id),
		eq(delivery.lease, r.lease),
		eq(delivery.state, "delivering"),
	),
});

const finishOne = defineQuery("finish_one", ({ query, tables }) => {
	const changes = toChanges(tables, toParameters(FINISH));
	return query
		.update(tables.delivery)
		.set(changes.set)
		.where(changes.where)
		.returning({ attempts: tables.delivery.attempts });
});

const finishAll = defineQuery("finish_all", ({ query, tables, dialect }) => {
	const { delivery } = tables;
	const changes = toChanges(tables, toColumns("r", FINISH));
	return query
		.update(delivery)
		.set(changes.set)
		.from(dialect.rowsOf(sql.placeholder("finishes"), "r", FINISH))
		.where(changes.where)
		.returning({
			id: delivery.id,
			lease: delivery.lease,
			attempts: delivery.attempts,
		});
});

/**
 * Writes new values to deliveries. Returns the number of each attempt in the order of `finishes`, or undefined for a
 * delivery that was not under way under the lease.
 */
export async function finishDeliveries(
	db: Db,
	finishes: readonly Finish[],
): Promise<(number | undefined)[]> {
	if (db.postgres) {
		const rows = await finishAll(db, { finishes: JSON.stringify(finishes) });
		const numbers = new Map(rows.map((row) => [keyOfClaim(row), row.attempts]));
		return finishes.map((finish) => numbers.get(keyOfClaim(finish)));
	}
	const numbers: (number | undefined)[] = [];
	for (const finish of finishes)
		numbers.push((await finishOne(db, finish))[0]?.attempts);
	return numbers;
}

const ADD_ATTEMPTS = `
insert into attempt (
	delivery_id, number, started_at, duration_ms, status, failure_class, failure_stage, failure_code, message, address,
	timings, retried_on_reset, response_headers, response_body
)
select
	"deliveryId", number, "startedAt", "durationMs", status, "failureClass", "failureStage", "failureCode", message, address,
	timings, "retriedOnReset", "responseHeaders", "responseBody"
from json_to_recordset($1::json) as r(
	"deliveryId" bigint, number bigint, "startedAt" bigint, "durationMs" bigint, status bigint, "failureClass" text,
	"failureStage" text, "failureCode" text, message text, address text, timings jsonb, "retriedOnReset" boolean,
	"responseHeaders" jsonb, "responseBody" text
)`;

/** Inserts attempts. */
export async function addAttempts(
	db: Db,
	attempts: readonly NewRowOf<"attempt">[],
): Promise<void> {
	if (db.postgres) {
		const json = JSON.stringify(attempts);
		await db.postgres("add_attempts", ADD_ATTEMPTS, [json]);
		return;
	}
	for (const attempt of attempts) await insertRow(db, "attempt", attempt);
}

export const HOUR_MS = 3600 * 1000;

/** The counts that a batch of results adds to an integration. */
export interface Tally {
	readonly integrationId: number;
	/** Attempts that delivered, and attempts that did not. */
	delivered: number;
	failed: number;
	/** Deliveries that will not be attempted again. */
	finished: number;
	lastError: string | null;
}

const addHour = defineQuery(
	"add_to_hour",
	({ query, tables: { deliveryRollup: rollup } }) =>
		query
			.insert(rollup)
			// The builder takes placeholders at run time, but not in its types.
			.values({
				integrationId: sql.placeholder("integrationId"),
				hourAt: sql.placeholder("hourAt"),
				delivered: sql.placeholder("delivered"),
				failed: sql.placeholder("failed"),
			} as never)
			.onConflictDoUpdate({
				target: [rollup.integrationId, rollup.hourAt],
				set: {
					delivered: sql`${rollup.delivered} + excluded.delivered`,
					failed: sql`${rollup.failed} + excluded.failed`,
				},
			}),
);

// Drizzle's INSERT from a query names all columns, so this one is written by hand.
const ADD_HOURS = `
insert into delivery_rollup (integration_id, hour_at, delivered, failed)
select "integrationId", $2::bigint, delivered, failed
from json_to_recordset($1::json) as r("integrationId" bigint, delivered bigint, failed bigint) order by "integrationId"
on conflict (integration_id, hour_at) do update set
	delivered = delivery_rollup.delivered + excluded.delivered,
	failed = delivery_rollup.failed + excluded.failed`;

const TALLY = {
	integrationId: "bigint",
	delivered: "bigint",
	failed: "bigint",
	finished: "bigint",
	lastError: "text",
} as const;

/**
 * The integration's new totals. `r` has the tally, as parameters or as columns. A success after a failure gets a later
 * time, even from a process whose clock is behind: comparing the two tells whether the integration has recovered.
 */
function toTotals(
	{ integration }: Db["tables"],
	r: Record<keyof typeof TALLY, SQL>,
) {
	const nowMs = sql`cast(${sql.placeholder("nowMs")} as bigint)`;
	const hasJustFailed = sql`${integration.lastFailureAt} - ${nowMs} between 0 and ${sql.raw(String(CLOCK_SKEW_MS))}`;
	return {
		settled: sql`${integration.settled} + ${r.finished}`,
		lastSuccessAt: sql`case
			when ${r.delivered} = 0 then ${integration.lastSuccessAt}
			when ${hasJustFailed} then ${integration.lastFailureAt} + 1
			else ${nowMs} end`,
		lastFailureAt: sql`case
			when ${r.failed} = 0 or ${hasJustFailed} then ${integration.lastFailureAt}
			else ${nowMs} end`,
		lastError: sql`case when ${r.failed} > 0 then ${r.lastError} else ${integration.lastError} end`,
		// A batch with both outcomes ends the streak of failures and may begin a new one.
		failingSince: sql`case
			when ${r.failed} = 0 then null
			when ${r.delivered} > 0 then ${nowMs}
			else coalesce(${integration.failingSince}, ${nowMs}) end`,
	};
}

const addTotalsOfOne = defineQuery("add_totals_of_one", ({ query, tables }) => {
	const { integration } = tables;
	const tally = toParameters(TALLY);
	return query
		.update(integration)
		.set(toTotals(tables, tally))
		.where(eq(integration.id, tally.integrationId))
		.returning({ id: integration.id, failingSince: integration.failingSince });
});

const addTotalsOfAll = defineQuery(
	"add_totals_of_all",
	({ query, tables, dialect }) => {
		const { integration } = tables;
		const tally = toColumns("r", TALLY);
		return query
			.update(integration)
			.set(toTotals(tables, tally))
			.from(dialect.rowsOf(sql.placeholder("tallies"), "r", TALLY))
			.where(eq(integration.id, tally.integrationId))
			.returning({
				id: integration.id,
				failingSince: integration.failingSince,
			});
	},
);

/**
 * Adds tallies to the hour's rollups and to the integrations' counters, so that health never counts rows. Returns since
 * when each integration has only failed, or null.
 */
export async function addToRollups(
	db: Db,
	tallies: readonly Tally[],
	nowMs: number,
): Promise<{ id: number; failingSince: number | null }[]> {
	const hourAt = nowMs - (nowMs % HOUR_MS);
	if (db.postgres) {
		const json = JSON.stringify(tallies);
		await db.postgres("add_hours", ADD_HOURS, [json, hourAt]);
		return addTotalsOfAll(db, { tallies: json, nowMs });
	}
	const totals = [];
	for (const tally of tallies) {
		await addHour(db, { ...tally, hourAt });
		totals.push(...(await addTotalsOfOne(db, { ...tally, nowMs })));
	}
	return totals;
}
