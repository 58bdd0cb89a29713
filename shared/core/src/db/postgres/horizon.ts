import type { PostgresStatements } from "../db.ts";

/** The state of the server's transactions: all before `from` have ended, and none from `to` on has begun to write. */
export interface Horizon {
	readonly from: number;
	readonly to: number;
}

/** Reads the horizon at this moment. */
export async function readHorizon(run: PostgresStatements): Promise<Horizon> {
	const [row] = await run<Horizon>(
		"read_horizon",
		`select pg_snapshot_xmin(s)::text::bigint as "from", pg_snapshot_xmax(s)::text::bigint as "to"
		from pg_current_snapshot() s`,
		[],
	);
	return row as Horizon;
}

/** Whether another transaction has uncommitted deliveries or attempts. */
export async function isBeingWritten(
	run: PostgresStatements,
): Promise<boolean> {
	const rows = await run(
		"is_being_written",
		`select from pg_locks
		where locktype = 'relation' and database = (select oid from pg_database where datname = current_database())
			and relation in ('delivery'::regclass, 'attempt'::regclass) and mode = 'RowExclusiveLock' and pid <> pg_backend_pid()
		limit 1`,
		[],
	);
	return rows.length > 0;
}
