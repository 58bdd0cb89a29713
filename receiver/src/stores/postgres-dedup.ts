import type { DedupStore, Ticket } from "../dedupe/dedup-store.ts";
import { toKey } from "../dedupe/to-key.ts";
import {
	createSetup,
	nowOr,
	type PostgresClientLike,
	quoteTable,
	toQuery,
	toSetup,
	type Value,
	withoutSchema,
	withSuffix,
} from "./postgres-client.ts";

/** The options of `postgresStore`. */
export interface PostgresStoreOptions {
	/** The table, `name` or `schema.name`. */
	table?: string;
	/** False if you create the schema yourself, by running `postgresStoreSchema()`. */
	createTable?: boolean;
	/** For tests: milliseconds since the epoch, instead of the server's own clock. */
	clock?: () => number;
	createFence?: () => string;
	/** Told once a minute that expired records cannot be removed; `console.warn` by default. */
	log?: (message: string) => void;
}

/** A dedup store in PostgreSQL. */
export interface PostgresStore extends DedupStore {
	/** Creates the schema if it is missing. Rejects if the server cannot be used. Without this call the first claim does it. */
	ready(): Promise<void>;
}

const TABLE = "partnerwire_dedup";
const PURGE_EVERY_MS = 60_000;
const PURGE_BATCH = 1_000;

/**
 * The schema of a store: a table with its indexes, and the function that claims. It is one statement, and any number of processes may
 * run it any number of times. Claiming is a function because a plain statement would not see the changes that were made while it
 * waited for its lock.
 */
export function postgresStoreSchema(table: string = TABLE): string {
	const name = quoteTable(table, "postgresStoreSchema");
	const index = (suffix: string) => withoutSchema(withSuffix(name, suffix));
	return toSetup(
		`to_regproc('${claimOf(name)}') is not null`,
		`	create table if not exists ${name} (
		fingerprint text not null,
		delivery_id text not null,
		entity_id text,
		sequence bigint,
		supersedes boolean not null,
		fence text not null,
		done boolean not null,
		expires_at bigint not null,
		primary key (fingerprint, delivery_id)
	);
	create index if not exists ${index("delivery")} on ${name} (delivery_id) where delivery_id <> '';
	create index if not exists ${index("entity")} on ${name} (entity_id) where entity_id is not null;
	create index if not exists ${index("expiry")} on ${name} (expires_at);
	create or replace function ${claimOf(name)}(
		a_fingerprint text, a_delivery text, a_entity text, a_sequence bigint, a_supersedes boolean,
		a_fence text, a_lease_ms bigint, a_now bigint
	) returns table (state text, conflict boolean, stale boolean) language plpgsql as $claim$
	declare
		v_now bigint;
		v_done boolean;
	begin
		if current_setting('transaction_isolation') <> 'read committed' then
			raise 'partnerwire: claims need the isolation level read committed';
		end if;
		perform pg_advisory_xact_lock(hashtextextended('${name}' || a_fingerprint, 0));
		v_now := ${nowOr("a_now")};
		select t.done into v_done from ${name} t
			where t.fingerprint = a_fingerprint and t.expires_at > v_now and t.fence <> a_fence
			and (t.delivery_id = '' or a_delivery = '' or t.delivery_id = a_delivery)
			order by t.done desc limit 1;
		if found then
			return query select case when v_done then 'done' else 'running' end, false, false;
			return;
		end if;
		insert into ${name} as t (fingerprint, delivery_id, entity_id, sequence, supersedes, fence, done, expires_at)
			values (a_fingerprint, a_delivery, a_entity, a_sequence, a_supersedes, a_fence, false, v_now + a_lease_ms)
			on conflict (fingerprint, delivery_id) do update set
				entity_id = excluded.entity_id, sequence = excluded.sequence, supersedes = excluded.supersedes,
				fence = excluded.fence, done = false, expires_at = excluded.expires_at
			where t.expires_at <= v_now or t.fence = a_fence;
		if not found then -- its late holder committed it in between
			return query select 'running', false, false;
			return;
		end if;
		if a_supersedes then
			delete from ${name} t where t.entity_id = a_entity and t.supersedes and t.done
				and t.fingerprint <> a_fingerprint;
		end if;
		return query select 'claimed',
			exists (select from ${name} t where t.delivery_id = a_delivery and t.delivery_id <> ''
				and t.fingerprint <> a_fingerprint and t.expires_at > v_now),
			exists (select from ${name} t where t.entity_id = a_entity and t.done
				and t.sequence > a_sequence and t.expires_at > v_now);
	end $claim$;`,
	);
}

/** If the function changes it needs a new name, so that processes of both versions can run at the same time. */
const claimOf = (name: string): string => withSuffix(name, "claim_1");

function toStatements(name: string) {
	const held =
		"where fingerprint = $1 and delivery_id = $2 and fence = $3 and not done";
	return {
		claim: `select state, conflict, stale from ${claimOf(name)}($1, $2, $3, $4, $5, $6, $7, $8)`,
		commit: `update ${name} set done = true, expires_at = ${nowOr("$5")} + $4 ${held} returning 1`,
		release: `delete from ${name} ${held} returning 1`,
		forget: `delete from ${name} where fingerprint = $1 returning 1`,
		purge: `delete from ${name} where ctid = any (array(
			select ctid from ${name} where expires_at <= ${nowOr("$1")}
			limit ${PURGE_BATCH} for update skip locked)) returning 1`,
	};
}

/**
 * Recognises duplicates in PostgreSQL (11 or later), for all processes that use the same table, by the server's clock. Each call is one
 * statement that keeps nothing in the session, so that PgBouncer may pool transactions.
 *
 * @example
 * createReceiver({ secret, dedup: postgresStore(new pg.Pool()) });
 */
export function postgresStore(
	client: PostgresClientLike,
	options: PostgresStoreOptions = {},
): PostgresStore {
	const o = {
		table: TABLE,
		createTable: true,
		createFence: () => crypto.randomUUID() as string,
		...options,
	};
	const { log = (message: string) => console.warn(message) } = options;
	const name = quoteTable(o.table, "postgresStore");
	const query = toQuery(client, "postgresStore");
	const sql = toStatements(name);
	const prepare = createSetup(
		query,
		o.createTable ? postgresStoreSchema(o.table) : undefined,
	);
	const now = () => (o.clock ? o.clock() : null);
	const toHeld = ({ fingerprint, deliveryId, fence }: Ticket) => [
		toKey(fingerprint),
		toKey(deliveryId ?? ""),
		fence,
	];
	let purgedMs = Number.NEGATIVE_INFINITY;

	async function purge(): Promise<void> {
		if (performance.now() - purgedMs < PURGE_EVERY_MS) return;
		purgedMs = performance.now();
		while ((await query(sql.purge, [now()])).length === PURGE_BATCH);
	}

	async function count(text: string, values: Value[]): Promise<number> {
		await prepare();
		return (await query(text, values)).length;
	}

	return {
		ready: prepare,
		async claim(request) {
			await prepare();
			const { fingerprint, deliveryId, entityId } = request;
			const fence = o.createFence();
			const [row] = await query<{
				state: "claimed" | "done" | "running";
				conflict: boolean;
				stale: boolean;
			}>(sql.claim, [
				toKey(fingerprint),
				toKey(deliveryId ?? ""),
				entityId === null ? null : toKey(entityId),
				request.sequence,
				request.supersedes,
				fence,
				Math.ceil(request.leaseMs),
				now(),
			]);
			// In the background: nobody waits for it, and the next purge finds the rows that it leaves.
			purge()
				// The driver's message may hold a password.
				.catch(({ code = "no code" }: { code?: string }) =>
					log(
						`postgresStore cannot remove expired records of ${o.table}, which grows until it can (${code}).`,
					),
				)
				.catch(() => {});
			if (row?.state !== "claimed") return { state: row?.state ?? "running" };
			const ticket = { fingerprint, deliveryId, fence };
			return {
				state: "claimed",
				ticket,
				conflict: row.conflict,
				stale: row.stale,
			};
		},
		commit: async (ticket, ttlMs) =>
			(await count(sql.commit, [
				...toHeld(ticket),
				Math.ceil(ttlMs),
				now(),
			])) === 1,
		release: async (ticket) => (await count(sql.release, toHeld(ticket))) === 1,
		forget: (fingerprint) => count(sql.forget, [toKey(fingerprint)]),
	};
}
