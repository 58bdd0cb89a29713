import Sqlite from "better-sqlite3";
import { afterEach, expect, test, vi } from "vitest";
import { reclaimExpired } from "../src/index.ts";
import { openQueue } from "./support/queue.ts";

afterEach(() => vi.restoreAllMocks());

test("claim, settle and reclaim find deliveries by their partial indexes, never by a scan", async () => {
	// Whatever builds the statements, all of them pass here on their way to the database.
	const prepare = vi.spyOn(Sqlite.prototype, "prepare");
	const queue = await openQueue();
	await queue.touch(await queue.addLead());
	await queue.settleAll(await queue.claim(), "delivered");
	await queue.claim({ leaseMs: -1000 });
	await reclaimExpired(queue.store);
	const statements = prepare.mock.calls
		.map(([sql]) => sql)
		.filter(
			(sql) => /\bdelivery\b/.test(sql) && /^(select|update|with)/i.test(sql),
		);
	prepare.mockRestore();
	const file = new Sqlite(queue.path, { readonly: true });
	const used = new Set<string>();
	for (const sql of statements) {
		// Parameters are only in need of a value: the plan does not depend on it.
		const plan = file.prepare(`explain query plan ${sql}`);
		const values = Array.from(
			{ length: sql.match(/\?/g)?.length ?? 0 },
			() => 0,
		);
		for (const { detail } of plan.all(...values) as { detail: string }[]) {
			expect(detail, sql).not.toMatch(/SCAN (delivery|event|attempt)\b/);
			// The whole index of an integration's deliveries would be a scan of its history.
			expect(detail, sql).not.toMatch(/SEARCH delivery .*delivery_sequence/);
			for (const [, index] of detail.matchAll(/INDEX (delivery_\w+)/g))
				used.add(index as string);
		}
	}
	file.close();
	await queue.close();
	expect([...used]).toEqual(
		expect.arrayContaining(["delivery_due", "delivery_lane", "delivery_lease"]),
	);
});
