import pg from "pg";
import { onTestFinished } from "vitest";

export interface Held {
	/** Ends the transaction, which releases its locks. */
	release(how?: "commit" | "rollback"): Promise<void>;
	query(text: string, values?: unknown[]): Promise<pg.QueryResult>;
}

/** Begins a transaction of another program, runs the statements, and leaves the transaction open. */
export async function hold(url: string, ...texts: string[]): Promise<Held> {
	const client = new pg.Client({ connectionString: url });
	client.on("error", () => {});
	await client.connect();
	onTestFinished(() => client.end());
	await client.query("begin");
	for (const text of texts) await client.query(text);
	return {
		query: (text, values) => client.query(text, values),
		release: async (how = "commit") => void (await client.query(how)),
	};
}

/** Resolves when at least `count` statements of a database wait for locks. */
export async function waitForBlocked(url: string, count = 1): Promise<void> {
	const client = new pg.Client({ connectionString: url });
	await client.connect();
	try {
		for (;;) {
			const { rows } = await client.query(
				"select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
			);
			if (rows[0].waiting >= count) return;
		}
	} finally {
		await client.end();
	}
}
