import { toKey } from "../dedupe/to-key.ts";
import type { Awaitable } from "../verify/platform-crypto.ts";
import type { InboxSql } from "./inbox-sql.ts";
import type { InboxEntry, InboxState, InboxStore } from "./inbox-store.ts";

export type InboxParameters = Record<string, string | number | null>;

/** The engine of an inbox, which runs the statements of `toInboxSql`. */
export interface InboxDatabase {
	readonly sql: InboxSql;
	/** Runs one statement, and returns its rows. */
	run<Row>(text: string, parameters: InboxParameters): Awaitable<Row[]>;
	/** Runs `sql.put`, never two at a time for the same payload or record. */
	put(parameters: InboxParameters): Awaitable<{ conflict: number }[]>;
	close(): Awaitable<void>;
}

interface EntryRow {
	id: number | string;
	state: InboxState;
	event_id: string;
	delivery_id: string;
	entity_id: string | null;
	sequence: number | string | null;
	attempts: number;
	error: string | null;
	received_at: number | string;
	due_at: number | string;
}

/** PostgreSQL's drivers give a bigint as text. */
const toNumber = (value: number | string | null): number | null =>
	value === null ? null : Number(value);

const toEntry = (row: EntryRow): InboxEntry => ({
	id: Number(row.id),
	state: row.state,
	eventId: row.event_id,
	deliveryId: row.delivery_id || null,
	entityId: row.entity_id,
	sequence: toNumber(row.sequence),
	attempts: row.attempts,
	error: row.error,
	receivedAtMs: Number(row.received_at),
	dueAtMs: Number(row.due_at),
});

interface ItemRow {
	id: number | string;
	fence: string;
	event_id: string;
	fingerprint: string;
	body: string;
	envelope: string;
	attempts: number;
	conflict: number;
	stale: number;
}

/** Creates the inbox store over an engine. */
export function createInboxStore(db: InboxDatabase): InboxStore {
	const { sql } = db;
	const count = async (text: string, parameters: InboxParameters) =>
		(await db.run(text, parameters)).length;

	return {
		async put(event) {
			const [row] = await db.put({
				fingerprint: toKey(event.fingerprint),
				delivery_id: toKey(event.deliveryId ?? ""),
				entity_id: event.entityId === null ? null : toKey(event.entityId),
				sequence: event.sequence,
				supersedes: event.supersedes ? 1 : 0,
				event_id: event.eventId,
				body: event.body,
				envelope: event.envelope,
			});
			if (!row) return { state: "duplicate" };
			return { state: "stored", conflict: row.conflict === 1 };
		},
		async take({ eventIds, limit, fence, leaseMs }) {
			const rows = await db.run<ItemRow>(sql.take(eventIds), {
				limit,
				fence,
				lease_ms: Math.ceil(leaseMs),
			});
			return rows
				.map((row) => ({
					id: Number(row.id),
					fence: row.fence,
					eventId: row.event_id,
					fingerprint: row.fingerprint,
					body: row.body,
					envelope: row.envelope,
					attempt: row.attempts,
					conflict: row.conflict === 1,
					stale: row.stale === 1,
				}))
				.sort((a, b) => a.id - b.id);
		},
		extend: async ({ id, fence }, leaseMs) =>
			(await count(sql.extend, { id, fence, lease_ms: Math.ceil(leaseMs) })) ===
			1,
		settle: async ({ id, fence }, settlement) =>
			(await count(sql.settle, {
				id,
				fence,
				state: settlement.state,
				delay_ms: "delayMs" in settlement ? Math.ceil(settlement.delayMs) : 0,
				ttl_ms: "ttlMs" in settlement ? Math.ceil(settlement.ttlMs) : null,
				error: "error" in settlement ? settlement.error : null,
				attempts:
					"attempts" in settlement ? (settlement.attempts ?? null) : null,
			})) === 1,
		async stats() {
			const [row] = await db.run<
				Record<InboxState | "oldest", number | string | null>
			>(sql.stats, {});
			const countOf = (state: InboxState) => Number(row?.[state] ?? 0);
			return {
				pending: countOf("pending"),
				processing: countOf("processing"),
				done: countOf("done"),
				dead: countOf("dead"),
				oldestAgeMs: toNumber(row?.oldest ?? null),
			};
		},
		async list({ state, limit }) {
			const rows = await (state === undefined
				? db.run<EntryRow>(sql.list, { limit })
				: db.run<EntryRow>(sql.listState, { state, limit }));
			return rows.map(toEntry);
		},
		retry: (id) =>
			id === undefined ? count(sql.retryDead, {}) : count(sql.retry, { id }),
		forget: (fingerprint) =>
			count(sql.forget, { fingerprint: toKey(fingerprint) }),
		async purge() {
			while ((await count(sql.purge, {})) === sql.purgeBatch);
		},
		close: () => db.close(),
	};
}
