import { setImmediate as nextTurn } from "node:timers/promises";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db, Store } from "../../db/db.ts";
import { defineQuery } from "../../db/prepared.ts";

/** Numbers counted by one statement, off the index by number: about a millisecond. */
const WINDOW = 20_000;
/** A purge in the middle of a count makes it worthless: it is made again, so often. */
const TRIES = 3;

const countWindow = defineQuery(
	"ledger_window",
	({ query, tables: { delivery } }) =>
		query
			.select({ rows: sql<number>`count(*)` })
			.from(delivery)
			.where(
				and(
					eq(delivery.integrationId, sql.placeholder("id")),
					sql`${delivery.sequence} > ${sql.placeholder("after")}`,
					sql`${delivery.sequence} <= ${sql.placeholder("to")}`,
				),
			),
);

/** The counters, and the unfinished rows of the same moment. */
const readCounters = defineQuery(
	"ledger_counters",
	({ query, tables: { integration, delivery } }) =>
		query
			.select({
				sequence: integration.sequence,
				settled: integration.settled,
				purged: integration.purged,
				unfinished: sql<number>`(select count(*) from ${delivery} where ${eq(delivery.integrationId, integration.id)} and ${sql`${delivery.state} in ('pending', 'delivering')`})`,
			})
			.from(integration)
			.where(eq(integration.id, sql.placeholder("id"))),
);

/**
 * How many integrations' ledgers do not add up (decisions §3). Unlike the ledger itself it counts in small steps, so that a
 * service can do it all day; the signal ends it between two of them, with its reason.
 */
export async function countUnbalanced(
	{ read }: Store,
	signal?: AbortSignal,
): Promise<number> {
	const { integration } = read.tables;
	const rows = await read.query
		.select({ id: integration.id })
		.from(integration)
		.where(isNull(integration.deletedAt));
	let unbalanced = 0;
	for (const { id } of rows)
		if (!(await isBalanced(read, id, signal))) unbalanced++;
	return unbalanced;
}

async function isBalanced(
	db: Db,
	id: number,
	signal: AbortSignal | undefined,
): Promise<boolean> {
	for (let left = TRIES; left > 0; left--) {
		signal?.throwIfAborted();
		const [before] = await readCounters(db, { id });
		if (!before) return true;
		if (before.sequence - before.settled !== Number(before.unfinished))
			return false;
		const rows = await countRows(db, id, before.sequence, signal);
		const [after] = await readCounters(db, { id });
		if (after?.purged === before.purged)
			return rows === before.sequence - before.purged;
	}
	return true;
}

async function countRows(
	db: Db,
	id: number,
	newest: number,
	signal: AbortSignal | undefined,
): Promise<number> {
	let total = 0;
	for (let after = 0; after < newest; after += WINDOW) {
		const to = Math.min(after + WINDOW, newest);
		const [row] = await countWindow(db, { id, after, to });
		total += Number(row?.rows ?? 0);
		await nextTurn();
		signal?.throwIfAborted();
	}
	return total;
}
