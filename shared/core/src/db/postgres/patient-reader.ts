import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Runner } from "./connection.ts";
import {
	isConnectionFault,
	postgresCodeOf,
	toPostgresFault,
} from "./faults.ts";

/**
 * A reader that is as patient as writes are: while the server restarts, a read is retried for up to `reconnectMs`,
 * because it changes nothing. A read that timed out is not retried: that would only add load.
 */
export function createPatientReader(
	reader: Runner,
	reconnectMs: number,
): Runner {
	async function query(config: pg.QueryConfig): Promise<pg.QueryResult> {
		const giveUpAt = performance.now() + reconnectMs;
		for (;;) {
			try {
				return await reader.query(config);
			} catch (error) {
				const isGone = isConnectionFault(postgresCodeOf(error));
				if (!isGone || performance.now() > giveUpAt)
					throw toPostgresFault(error) ?? error;
				await sleep(50 + Math.random() * 150);
			}
		}
	}
	return { query } as Runner;
}
