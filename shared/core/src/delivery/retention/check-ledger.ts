import { setImmediate as nextTurn } from "node:timers/promises";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db, Store } from "../../db/db.ts";
import { defineQuery } from "../../db/prepared.ts";

/** Sequence numbers counted by one statement, from the index by sequence: about a millisecond. */
const WINDOW = 20_000;
/** A purge during a count makes it worthless. It is then repeated, up to this many times. */
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

/** Reads the counters and the number of unfinished rows at the same moment. */
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
 * Counts the integrations whose ledgers do not add up (docs/decisions.md#ledger). Unlike the ledger it counts in small
 * steps, so a service can run it all day. The signal stops it between two steps, with its reason.
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
