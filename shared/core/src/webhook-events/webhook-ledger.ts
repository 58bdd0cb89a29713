import type { Ledger, LedgerEntry } from "@partnerwire/contract";
import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Db } from "../db/db.ts";
import { defineQuery } from "../db/prepared.ts";

/**
 * Counts the rows of each integration and reads its counters, in one statement, so of the same moment. Each count uses
 * an existing index. Only `delivered` is computed from the others, because an index for it would cost every delivery.
 */
const selectCounts = defineQuery("ledger", ({ query, tables }: Db) => {
	const { integration, delivery } = tables;
	// `and()` makes the condition an expression of its own: otherwise Drizzle drops the table's name from its columns.
	const countOf = (condition?: SQL) =>
		sql<number>`(select count(*) from ${delivery} where ${and(eq(delivery.integrationId, integration.id), condition)})`;
	const ended = (state: "failed" | "dropped") =>
		countOf(
			sql`${delivery.state} in ('failed', 'dropped') and ${delivery.state} = ${state}`,
		);
	return query
		.select({
			uuid: integration.uuid,
			label: integration.label,
			status: integration.status,
			sequence: integration.sequence,
			settled: integration.settled,
			purged: integration.purged,
			rows: countOf(),
			unfinished: countOf(sql`${delivery.state} in ('pending', 'delivering')`),
			delivering: countOf(sql`${delivery.state} = 'delivering'`),
			failed: ended("failed"),
			dropped: ended("dropped"),
		})
		.from(integration)
		.where(
			and(
				eq(integration.companyUuid, sql.placeholder("companyUuid")),
				isNull(integration.deletedAt),
			),
		)
		.orderBy(asc(integration.createdAt), asc(integration.uuid));
});

type Counts = Awaited<ReturnType<typeof selectCounts>>[number];

/** Accounts for every event of every integration (docs/decisions.md#ledger). */
export async function readLedger(db: Db, companyUuid: string): Promise<Ledger> {
	const counted = await selectCounts(db, { companyUuid });
	const data = counted.map(toEntry);
	return { balanced: data.every(({ balanced }) => balanced), data };
}

function toEntry(counts: Counts): LedgerEntry {
	const waiting = counts.unfinished - counts.delivering;
	const isPaused = counts.status === "paused";
	const problem = findProblem(counts);
	return {
		integration_id: counts.uuid,
		label: counts.label,
		matched: counts.sequence,
		delivered: counts.rows - counts.unfinished - counts.failed - counts.dropped,
		failed: counts.failed,
		pending: isPaused ? 0 : waiting,
		delivering: counts.delivering,
		held: isPaused ? waiting : 0,
		dropped: counts.dropped,
		purged: counts.purged,
		balanced: problem === null,
		problem,
	};
}

/** Compares the rows with the two separate counters: events matched, and deliveries finished. */
function findProblem(counts: Counts): string | null {
	const { sequence, settled, purged, rows, unfinished } = counts;
	const missing = sequence - purged - rows;
	if (missing !== 0)
		return missing > 0
			? `${missing} of ${sequence} events have no delivery`
			: `there are ${-missing} more deliveries than events`;
	const open = sequence - settled;
	if (open !== unfinished)
		return `${unfinished} deliveries are unfinished, but the counter says ${open}`;
	return null;
}
