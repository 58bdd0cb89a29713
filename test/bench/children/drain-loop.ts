import pg from "pg";
import { serveCalls } from "../kit/child.ts";
import { CONNECTIONS, ENTITY } from "../kit/delivery-load.ts";
import { DRAINED_INTEGRATIONS, type DrainCalls } from "../kit/drain-load.ts";
import {
	type Answer,
	createSignedPost,
	type SignedPost,
	type Webhook,
} from "../kit/signed-post.ts";

/*
 * The best straightforward loop that delivers from PostgreSQL: it claims, posts and records in batches, each in one prepared statement. It
 * keeps no order, counts nothing and serves one process.
 */

const SCHEMA = `
	create table event(id bigserial primary key, uuid uuid, company_id int, event_id text, entity text, created_at bigint);
	create table delivery(id bigserial primary key, uuid uuid unique, integration_id int, event_id bigint, lane uuid,
		sequence bigint, state int, ready bool, due_at bigint, lease_until bigint, attempts int);
	create index on delivery(integration_id, due_at) where ready and state = 0;
	create table attempt(id bigserial primary key, delivery_id bigint, n int, status int, started_at bigint, duration_ms int,
		response_head text, response_body text);`;

const CLAIM = `
	with c as (
		select id from delivery where ready and state = 0 and due_at <= $1
		order by integration_id, due_at limit 256 for update skip locked
	), u as (
		update delivery d set state = 1, lease_until = $1 + 30000 from c where d.id = c.id
		returning d.id, d.uuid, d.event_id, d.sequence
	)
	select u.*, e.entity from u join event e on e.id = u.event_id`;

const SETTLE = `
	with r as (
		select * from unnest($1::bigint[], $2::int[], $3::bigint[], $4::int[], $5::text[], $6::text[])
			as r(id, status, at, ms, head, body)
	), d as (
		update delivery set state = 2, ready = false, attempts = attempts + 1 from r
		where delivery.id = r.id and state = 1
	)
	insert into attempt(delivery_id, n, status, started_at, duration_ms, response_head, response_body)
	select id, 1, status, at, ms, head, body from r`;

/** So many results are written together, and so few waiting deliveries are a reason to claim. */
const BATCH = 128;
/** With fewer requests in flight than this, results are written at once. */
const FEW_IN_FLIGHT = 16;

interface Claimed extends Webhook {
	readonly id: number;
	readonly entity: string;
}
interface Result extends Answer {
	readonly id: number;
}

let db: pg.Client;
let post: SignedPost;

async function settle(results: readonly Result[]): Promise<void> {
	const column = (name: keyof Result) => results.map((result) => result[name]);
	const columns = [
		"id",
		"status",
		"startedAt",
		"durationMs",
		"headers",
		"body",
	] as const;
	await db.query({ name: "settle", text: SETTLE, values: columns.map(column) });
}

async function claim(): Promise<Claimed[]> {
	const values = [Date.now()];
	return (await db.query({ name: "claim", text: CLAIM, values })).rows;
}

/** Delivers until this many results are stored. */
const deliver = (rows: number): Promise<void> =>
	new Promise((resolve, reject) => {
		const waiting: Claimed[] = [];
		let results: Result[] = [];
		let flying = 0;
		let claimed = 0;
		let stored = 0;
		let isBusy = false;

		const turn = async () => {
			const batch = results;
			results = [];
			if (batch.length > 0) await settle(batch);
			stored += batch.length;
			if (claimed < rows && waiting.length < BATCH) {
				const found = await claim();
				claimed += found.length;
				waiting.push(...found);
			}
			isBusy = false;
			pump();
		};

		const pump = () => {
			if (stored === rows) return resolve();
			const isShort = claimed < rows && waiting.length < BATCH;
			const isBatch =
				results.length >= BATCH ||
				(results.length > 0 && flying < FEW_IN_FLIGHT);
			if (!isBusy && (isShort || isBatch)) {
				isBusy = true;
				turn().catch(reject);
			}
			while (flying < CONNECTIONS) {
				const delivery = waiting.pop();
				if (!delivery) break;
				flying++;
				post(delivery, delivery.entity).then((answer) => {
					results.push({ id: delivery.id, ...answer });
					flying--;
					pump();
				}, reject);
			}
		};
		pump();
	});

const calls: DrainCalls = {
	async open({ origin, database }) {
		pg.types.setTypeParser(pg.types.builtins.INT8, Number);
		db = new pg.Client(database);
		await db.connect();
		await db.query(SCHEMA);
		post = createSignedPost(origin);
	},
	async fill(rows) {
		await db.query("truncate delivery, event, attempt");
		await db.query(
			"insert into event(uuid, company_id, event_id, entity, created_at) select gen_random_uuid(), g % $1, 'lead_updated', $2, 0 from generate_series(1, $3) g",
			[DRAINED_INTEGRATIONS, JSON.stringify(ENTITY), rows],
		);
		await db.query(
			"insert into delivery(uuid, integration_id, event_id, lane, sequence, state, ready, due_at, attempts) select gen_random_uuid(), id % $1, id, gen_random_uuid(), id, 0, true, 0, 0 from event",
			[DRAINED_INTEGRATIONS],
		);
		await db.query("vacuum analyze");
		await db.query("checkpoint");
	},
	async drain(rows) {
		const startedAt = performance.now();
		await deliver(rows);
		return (performance.now() - startedAt) / 1000;
	},
};

serveCalls(calls);
