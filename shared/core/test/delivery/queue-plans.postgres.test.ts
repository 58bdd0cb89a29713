import { beforeAll, expect, test } from "vitest";
import { onDatabase } from "#kit/database/database-client.ts";
import { openQueue, type TestQueue, toOutcome } from "#kit/database/queue.ts";
import {
	passFailingHeads,
	readGauges,
	reclaimExpired,
	recordAndClaim,
	removeExpired,
	returnClaimed,
	runReplays,
} from "../../src/index.ts";
import { plansOf, statementsOf } from "../support/postgres-plans.ts";

const ROWS = 20_000;

/** Copies the one delivery. Each copy has its own event and lane; nine of ten are finished. */
const FILL = `
insert into event (uuid, company_uuid, event_id, user_uuid, record_uuid, entity, created_at)
select gen_random_uuid(), company_uuid, event_id, user_uuid, gen_random_uuid(), entity, created_at
from event, generate_series(1, ${ROWS});
insert into delivery (uuid, integration_id, event_row_id, configuration_id, lane, sequence, state, ready, due_at, attempts, lease, created_at)
select gen_random_uuid(), d.integration_id, e.id, d.configuration_id, e.record_uuid, e.id,
	case when e.id % 10 = 0 then 'pending' else 'delivered' end, e.id % 10 = 0, d.due_at + e.id, 0, 0, d.created_at
from delivery d, event e where d.sequence = 1 and e.id <> d.event_row_id;
update integration set sequence = (select max(sequence) from delivery);
insert into attempt (delivery_id, number, started_at, duration_ms, retried_on_reset)
select id, 1, 0, 1, false from delivery where state = 'delivered';
insert into integration
select (jsonb_populate_record(i, jsonb_build_object('id', 1000 + n, 'uuid', gen_random_uuid(), 'deleted_at', 1))).*
from integration i, generate_series(1, 100) n;
insert into delivery_rollup (integration_id, hour_at, delivered, failed)
select i.id, n::bigint * 3600000, 1, 0 from integration i, generate_series(1, 100) n;
analyze`;

const BIG = /Seq Scan on (delivery|event|attempt|delivery_rollup)\b/;

let queue: TestQueue;
beforeAll(async () => {
	queue = await openQueue();
	await queue.addLead();
	await onDatabase(queue.path, (client) => client.query(FILL));
	queue.clock.advance(1_000_000);
	return queue.close;
});

/** Throws if a statement of the work scans a table of the queue. Answers the number of its statements on the queue. */
async function expectNoScan(work: () => Promise<unknown>): Promise<number> {
	const statements = await statementsOf(work);
	const onQueue = statements.filter(({ text }) =>
		/\b(delivery|integration|event|attempt)\b/.test(text),
	);
	for (const { text, plan } of await plansOf(queue.path, onQueue))
		expect(plan, text).not.toMatch(BIG);
	return onQueue.length;
}

test("claim, settle, reclaim and return look at no table from end to end, with their values and whatever they are", async () => {
	const { store, clock } = queue;
	const turn = (settled: Parameters<typeof recordAndClaim>[1]) =>
		recordAndClaim(store, settled, {
			nowMs: clock(),
			leaseMs: -1000,
			across: { most: 500, heldHere: [] },
			rooms: [{ limit: 50 }],
		});
	const statements = await expectNoScan(async () => {
		const [claimed = []] = (await turn([])).claimed;
		expect(claimed).toHaveLength(50);
		const delivered = claimed.slice(0, 20);
		await turn(delivered.map((one) => toOutcome(one, "delivered")));
		await returnClaimed(store, claimed.slice(20, 25));
		await reclaimExpired(store);
	});
	expect(statements).toBeGreaterThan(8);
});

test("results are matched with their deliveries by key, not with all that are under way", async () => {
	const claimed = await queue.claim({ limit: 5 });
	const statements = await statementsOf(() =>
		queue.recordAll(claimed, "delivered"),
	);
	const matching = statements.filter(({ text }) =>
		/^select id, lease, state from delivery/.test(text),
	);
	const plans = await plansOf(queue.path, matching);
	expect(plans).toHaveLength(2);
	for (const { plan } of plans) {
		expect(plan).toContain("delivery_pkey");
		expect(plan).not.toContain("delivery_lease");
	}
});

test("an event, a passed head, a redelivery and a skip look at no table from end to end", async () => {
	const statements = await expectNoScan(async () => {
		const lead = await queue.addLead();
		await queue.touch(lead);
		const claimed = await queue.claim({ limit: 3 });
		await queue.recordAll(claimed, "retry", queue.clock() + 5000);
		await passFailingHeads(queue.store, queue.clock());
		const params = { uuid: claimed[0]?.uuid ?? "" };
		await queue.execute("redeliverWebhookEvent", { params }, queue.caller);
		await queue.execute("getWebhookEvent", { params }, queue.caller);
		await queue.execute("skipWebhookEvent", { params }, queue.caller);
	});
	expect(statements).toBeGreaterThan(12);
});

test("replays, purges, retention, gauges and the lists of deliveries look at no table from end to end", async () => {
	const { caller, clock, store, integrationId: integration_id } = queue;
	const statements = await expectNoScan(async () => {
		await queue.recordAll(await queue.claim({ limit: 5 }), "failed");
		const body = { integration_id, statuses: ["failed" as const] };
		await queue.execute("createWebhookReplay", { body }, caller);
		clock.advance(1000);
		await runReplays(store, clock());
		await queue.recordAll(await queue.claim({ limit: 5 }), "failed");
		await queue.execute("purgeWebhookEvents", { body }, caller);
		await queue.recordAll(await queue.claim({ limit: 5 }), "delivered");
		await removeExpired(store, clock() + 1);
		await readGauges(store.read, clock());
		for (const status of ["failed", "pending"] as const)
			await queue.execute("listWebhookEvents", { query: { status } }, caller);
		const query = { integration_id, after_sequence: 0 };
		await queue.execute("getWebhookFeed", { query }, caller);
	});
	expect(statements).toBeGreaterThan(12);
});
