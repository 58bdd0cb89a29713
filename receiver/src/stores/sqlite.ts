import { ReceiverConfigError } from "../common/config-error.ts";
import type {
	ClaimRequest,
	ClaimResult,
	DedupStore,
	Ticket,
} from "../dedupe/dedup-store.ts";
import { untilFree } from "./until-free.ts";

export { type SqliteInboxOptions, sqliteInbox } from "./sqlite-inbox.ts";

type Parameters = Record<string, string | number | null>;

/** A prepared statement of better-sqlite3. */
export interface SqliteStatementLike {
	get(parameters: Parameters): unknown;
	run(parameters: Parameters): { changes: number | bigint };
}

/** Your own SQLite client: a better-sqlite3 `Database`, a `DatabaseSync` of `node:sqlite`, or a strict `Database` of `bun:sqlite`. */
export interface SqliteClientLike {
	exec(sql: string): unknown;
	prepare(sql: string): SqliteStatementLike;
}

/** The options of `sqliteStore`. */
export interface SqliteStoreOptions {
	/** The table, created if it does not exist. */
	table?: string;
	/** Milliseconds since the epoch, the same for all processes on the file. */
	clock?: () => number;
	createFence?: () => string;
}

const PURGE_EVERY_MS = 60_000;

function prepareAll(client: SqliteClientLike, table: string) {
	client.exec(`
		CREATE TABLE IF NOT EXISTS ${table} (
			fingerprint TEXT NOT NULL,
			delivery_id TEXT NOT NULL,
			entity_id TEXT,
			sequence INTEGER,
			supersedes INTEGER NOT NULL,
			fence TEXT NOT NULL,
			done INTEGER NOT NULL,
			expires_at INTEGER NOT NULL,
			PRIMARY KEY (fingerprint, delivery_id)
		) WITHOUT ROWID;
		CREATE INDEX IF NOT EXISTS ${table}_delivery ON ${table} (delivery_id);
		CREATE INDEX IF NOT EXISTS ${table}_entity ON ${table} (entity_id);
		CREATE INDEX IF NOT EXISTS ${table}_expiry ON ${table} (expires_at);`);
	const copies = `FROM ${table} WHERE fingerprint = @fingerprint AND expires_at > @now
		AND (delivery_id = '' OR @delivery_id = '' OR delivery_id = @delivery_id)`;
	const held = `WHERE fingerprint = @fingerprint AND delivery_id = @delivery_id
		AND fence = @fence AND done = 0`;
	return {
		// One statement, so that it is atomic across processes without a transaction on the user's client.
		claim: client.prepare(`
			INSERT INTO ${table} (fingerprint, delivery_id, entity_id, sequence, supersedes, fence, done, expires_at)
			SELECT @fingerprint, @delivery_id, @entity_id, @sequence, @supersedes, @fence, 0, @expires_at
			WHERE NOT EXISTS (SELECT 1 ${copies})
			ON CONFLICT (fingerprint, delivery_id) DO UPDATE SET
				entity_id = excluded.entity_id, sequence = excluded.sequence, supersedes = excluded.supersedes,
				fence = excluded.fence, done = 0, expires_at = excluded.expires_at`),
		copy: client.prepare(`SELECT done ${copies} ORDER BY done DESC LIMIT 1`),
		conflict: client.prepare(`
			SELECT 1 FROM ${table} WHERE delivery_id = @delivery_id AND delivery_id <> ''
			AND fingerprint <> @fingerprint AND expires_at > @now LIMIT 1`),
		stale: client.prepare(`
			SELECT 1 FROM ${table} WHERE entity_id = @entity_id AND done = 1
			AND sequence > @sequence AND expires_at > @now LIMIT 1`),
		supersede: client.prepare(`
			DELETE FROM ${table} WHERE entity_id = @entity_id AND supersedes = 1 AND done = 1
			AND fingerprint <> @fingerprint`),
		commit: client.prepare(
			`UPDATE ${table} SET done = 1, expires_at = @expires_at ${held}`,
		),
		release: client.prepare(`DELETE FROM ${table} ${held}`),
		forget: client.prepare(
			`DELETE FROM ${table} WHERE fingerprint = @fingerprint`,
		),
		purge: client.prepare(`DELETE FROM ${table} WHERE expires_at <= @now`),
	};
}

/** Without a row, `bun:sqlite` gives null. */
const hasRow = (row: unknown): boolean => row !== undefined && row !== null;

/**
 * Recognises duplicates in a SQLite file, for any number of processes on one machine. Records are removed only when they expire.
 *
 * @example
 * createReceiver({ secret, dedup: sqliteStore(new Database("hooks.db")) });
 */
export function sqliteStore(
	client: SqliteClientLike,
	options: SqliteStoreOptions = {},
): DedupStore {
	const o = {
		table: "partnerwire_dedup",
		clock: () => Date.now(),
		createFence: () => crypto.randomUUID() as string,
		...options,
	};
	if (!/^[A-Za-z_]\w*$/.test(o.table))
		throw new ReceiverConfigError(
			"CONFIG_STORE",
			"sqliteStore: table must be a plain name of letters, digits and underscores.",
		);
	const sql = prepareAll(client, o.table);
	let purgedMs = Number.NEGATIVE_INFINITY;

	function purge(now: number): void {
		if (now - purgedMs < PURGE_EVERY_MS && now >= purgedMs) return;
		purgedMs = now;
		sql.purge.run({ now });
	}

	function claim(request: ClaimRequest): ClaimResult {
		const now = o.clock();
		purge(now);
		const { fingerprint, deliveryId, sequence } = request;
		const delivery_id = deliveryId ?? "";
		const entity_id = request.entityId;
		const fence = o.createFence();
		const { changes } = sql.claim.run({
			fingerprint,
			delivery_id,
			entity_id,
			sequence,
			supersedes: request.supersedes ? 1 : 0,
			fence,
			expires_at: now + request.leaseMs,
			now,
		});
		if (Number(changes) === 0) {
			const copy = sql.copy.get({ fingerprint, delivery_id, now });
			// If the record is gone meanwhile, the next request gets the claim.
			return { state: (copy as { done: number })?.done ? "done" : "running" };
		}
		if (request.supersedes && entity_id !== null)
			sql.supersede.run({ entity_id, fingerprint });
		return {
			state: "claimed",
			ticket: { fingerprint, deliveryId, fence },
			conflict: hasRow(sql.conflict.get({ delivery_id, fingerprint, now })),
			stale: hasRow(sql.stale.get({ entity_id, sequence, now })),
		};
	}

	const toHeld = ({ fingerprint, deliveryId, fence }: Ticket) => ({
		fingerprint,
		delivery_id: deliveryId ?? "",
		fence,
	});

	return {
		claim: (request) => untilFree(() => claim(request)),
		commit: (ticket, ttlMs) =>
			untilFree(
				() =>
					Number(
						sql.commit.run({
							...toHeld(ticket),
							expires_at: o.clock() + ttlMs,
						}).changes,
					) === 1,
			),
		release: (ticket) =>
			untilFree(() => Number(sql.release.run(toHeld(ticket)).changes) === 1),
		forget: (fingerprint) =>
			untilFree(() => Number(sql.forget.run({ fingerprint }).changes)),
	};
}
