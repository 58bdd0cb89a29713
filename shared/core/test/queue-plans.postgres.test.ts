import pg from "pg";
import { expect, test, vi } from "vitest";
import { reclaimExpired, returnClaimed, takeTurn } from "../src/index.ts";
import { onDatabase } from "./support/database-client.ts";
import { openQueue, toSettled } from "./support/queue.ts";

const ROWS = 20_000;

/** Copies of the one delivery that is there: each in a lane of its own, finished but for one in ten. */
const FILL = `
insert into event (uuid, company_uuid, event_id, user_uuid, record_uuid, entity, created_at)
select gen_random_uuid(), company_uuid, event_id, user_uuid, record_uuid, entity, created_at from event, generate_series(1, ${ROWS});
insert into delivery (uuid, integration_id, event_row_id, configuration_id, lane, sequence, state, ready, due_at, attempts, lease, created_at)
select gen_random_uuid(), integration_id, event_row_id, configuration_id, gen_random_uuid(), sequence + n,
	case when n % 10 = 0 then 'pending' else 'delivered' end, n % 10 = 0, due_at + n, 0, 0, created_at
from delivery, generate_series(1, ${ROWS}) n where sequence = 1;
insert into attempt (delivery_id, number, started_at, duration_ms, retried_on_reset)
select id, 1, 0, 1, false from delivery where state = 'delivered';
analyze`;

test("claim, settle, reclaim and return look at no table from end to end, whatever the values", async () => {
	const queue = await openQueue();
	await queue.addLead();
	await onDatabase(queue.path, (client) => client.query(FILL));
	const query = vi.spyOn(pg.Client.prototype, "query");
	const { store, clock } = queue;
	clock.advance(1_000_000);
	const turn = (settled: Parameters<typeof takeTurn>[1]) =>
		takeTurn(store, settled, {
			nowMs: clock(),
			leaseMs: -1000,
			rooms: [{ limit: 50, across: { most: 500, heldHere: () => 0 } }],
		});
	const [claimed = []] = (await turn([])).claimed;
	expect(claimed).toHaveLength(50);
	await turn(claimed.slice(0, 20).map((one) => toSettled(one, "delivered")));
	await returnClaimed(store, claimed.slice(20, 25));
	await reclaimExpired(store);
	const texts = query.mock.calls.flatMap(([given]) => {
		const text = (given as unknown as { text?: string })?.text;
		return text && /\b(delivery|integration)\b/.test(text) ? [text] : [];
	});
	query.mockRestore();
	expect(new Set(texts).size).toBeGreaterThan(8);
	await onDatabase(queue.path, async (client) => {
		for (const text of new Set(texts)) {
			const { rows } = await client.query(`explain (generic_plan) ${text}`);
			const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
			expect(plan, text).not.toMatch(/Seq Scan on (delivery|event|attempt)\b/);
		}
	});
	await queue.close();
});
