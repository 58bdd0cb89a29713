import { join } from "node:path";
import { newUuid } from "@partnerwire/core";
import Database from "better-sqlite3";
import type { Answer } from "../kit/signed-post.ts";

const SCHEMA = `
	create table event(id integer primary key, uuid text, event_id text, entity text, created_at integer);
	create table delivery(id integer primary key, uuid text, integration_id integer, event_id integer, lane text,
		sequence integer, state integer, ready integer, due_at integer, lease_until integer, attempts integer,
		created_at integer);
	create index delivery_due on delivery(integration_id, due_at) where ready=1 and state=0;
	create index delivery_lane on delivery(integration_id, lane, sequence) where state<2;
	create table attempt(id integer primary key, delivery_id integer, n integer, status integer, started_at integer,
		duration_ms integer, response_head text, response_body text);`;

const LEASE_MS = 30_000;

export interface Claimed {
	id: number;
	uuid: string;
	event_id: number;
	sequence: number;
}

export interface Result extends Answer {
	id: number;
}

/** The database of the hand-written durable loop: prepared statements in batches, WAL with `synchronous=FULL`. */
export function openOutbox(folder: string) {
	const db = new Database(join(folder, "durable.db"));
	db.pragma("journal_mode = WAL");
	db.pragma("synchronous = FULL");
	db.exec(SCHEMA);

	const addEvent = db.prepare(
		"insert into event(uuid, event_id, entity, created_at) values(?, ?, ?, ?)",
	);
	const addDelivery = db.prepare(
		"insert into delivery(uuid, integration_id, event_id, lane, sequence, state, ready, due_at, attempts, created_at) values(?, 1, ?, ?, ?, 0, 1, ?, 0, ?)",
	);
	const claim = db.prepare(
		"update delivery set lease_until=?, state=1 where id in (select id from delivery where integration_id=1 and ready=1 and state=0 and due_at<=? order by due_at limit ?) returning id, uuid, event_id, sequence",
	);
	const entity = db.prepare("select entity from event where id=?").pluck();
	const finish = db.prepare(
		"update delivery set state=2, ready=0, attempts=attempts+1 where id=? and state=1",
	);
	const addAttempt = db.prepare(
		"insert into attempt(delivery_id, n, status, started_at, duration_ms, response_head, response_body) values(?, 1, ?, ?, ?, ?, ?)",
	);
	let sequence = 0;

	return {
		emit: db.transaction((entityJson: string, count: number) => {
			const now = Date.now();
			for (let index = 0; index < count; index++) {
				const event = addEvent.run(
					newUuid(now),
					"lead_updated",
					entityJson,
					now,
				);
				addDelivery.run(
					newUuid(now),
					event.lastInsertRowid,
					newUuid(now),
					++sequence,
					now,
					now,
				);
			}
		}),
		claim: db.transaction(
			(limit: number) =>
				claim.all(Date.now() + LEASE_MS, Date.now(), limit) as Claimed[],
		),
		entityOf: ({ event_id }: Claimed) => entity.get(event_id) as string,
		settle: db.transaction((results: readonly Result[]) => {
			for (const result of results) {
				finish.run(result.id);
				addAttempt.run(
					result.id,
					result.status,
					result.startedAt,
					result.durationMs,
					result.headers,
					result.body,
				);
			}
		}),
	};
}
