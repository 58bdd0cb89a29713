import Sqlite from "better-sqlite3";
import { vi } from "vitest";
import { openQueue, type TestQueue } from "#kit/database/queue.ts";

export interface Plan {
	readonly sql: string;
	readonly details: readonly string[];
}

/** Runs `work` on a queue, and answers SQLite's plan of every statement about deliveries that it made. */
export async function plansOf(
	work: (queue: TestQueue) => Promise<void>,
): Promise<Plan[]> {
	// All statements are prepared here, however they were built.
	const prepare = vi.spyOn(Sqlite.prototype, "prepare");
	const queue = await openQueue();
	await work(queue);
	const statements = prepare.mock.calls
		.map(([sql]) => sql)
		.filter(
			(sql) =>
				/\bdelivery\b/.test(sql) && /^(select|update|delete|with)/i.test(sql),
		);
	prepare.mockRestore();
	const file = new Sqlite(queue.path, { readonly: true });
	const plans = statements.map((sql) => {
		// Parameters only need some value: the plan does not depend on it.
		const values = Array.from(
			{ length: sql.match(/\?/g)?.length ?? 0 },
			() => 0,
		);
		const rows = file.prepare(`explain query plan ${sql}`).all(...values);
		return {
			sql,
			details: (rows as { detail: string }[]).map(({ detail }) => detail),
		};
	});
	file.close();
	await queue.close();
	return plans;
}
