import type pg from "pg";
import type { Runner } from "./connection.ts";

/**
 * A reader whose statements the server ends in time, for connections that cannot set a timeout for all their
 * statements, as through PgBouncer in transaction mode. Each read is a transaction of its own, which takes three round
 * trips instead of one.
 */
export function createBoundedReader(
	pool: pg.Pool,
	statementTimeoutMs: number,
): Runner {
	const begin = `begin isolation level read committed read only; set local statement_timeout = ${statementTimeoutMs}`;

	async function query(config: pg.QueryConfig): Promise<pg.QueryResult> {
		const client = await pool.connect();
		let fault: Error | undefined;
		try {
			await client.query(begin);
			const result = await client.query(config);
			await client.query("commit");
			return result;
		} catch (error) {
			// The connection's state is unknown, so it is closed: a new connection to a pooler costs little.
			fault = error as Error;
			throw error;
		} finally {
			client.release(fault);
		}
	}
	return { query } as Runner;
}
