// A worker's lock on PostgreSQL: a session advisory lock on the connection that listens, which the server frees when that
// connection ends. A worker may lose its connection and live on, so it trusts the lock for a shorter time after the last
// answer (`HELD_MS`) than others wait once they miss it (`GRACE_MS`): it has stopped starting attempts before they begin.
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Db, WorkerLock, WorkerLockOptions } from "../db.ts";
import { StorageError } from "../storage-error.ts";
import { isConnectionFault, postgresCodeOf } from "./faults.ts";
import { type Hints, WAKE_CHANNEL } from "./listen.ts";

/** How often the connection is asked whether it lives. */
const BEAT_MS = 250;
const HELD_MS = 700;
const GRACE_MS = 900;
/** After a reconnect the server may have restarted: other workers get this time to lock again. */
const SETTLE_MS = 6_000;
/** After a fault that does not end the connection, such as of the pool, the lock is tried again. */
const RETRY_MS = 2_000;
/** Its upper half is the `classid` of `pg_locks`, its lower half the `objid`. */
const MAX_ID = 2 ** 48 - 1;

const UNLOCKED = `
select id from unnest($1::bigint[]) as w(id) where id <> all(array(
	select classid::bigint << 32 | objid::bigint from pg_locks
	where locktype = 'advisory' and objsubid = 1 and granted
		and database = (select oid from pg_database where datname = current_database())
))`;

export function openPostgresWorkerLock(
	hints: Hints,
	{ postgres }: Db,
	{ adopt, onFault }: WorkerLockOptions,
): WorkerLock {
	let held: { id: number; provenAt: number } | undefined;
	/** The numbers under which this worker may have claims. The newest adopts those of the others. */
	const own = new Set<number>();
	let judgesFrom = 0;
	let isClosed = false;
	let isTold = false;
	const missedAt = new Map<number, number>();
	let settle = () => {};
	const ready = new Promise<void>((resolve) => {
		settle = resolve;
	});

	async function findUnlocked(ids: readonly number[]): Promise<number[]> {
		const rows = await postgres?.<{ id: number }>("unlocked", UNLOCKED, [ids]);
		return rows?.map(({ id }) => id) ?? [];
	}

	/** Claims under a number that this connection has locked, until the connection ends. */
	async function hold(client: pg.Client, id: number): Promise<void> {
		if ((await findUnlocked([id])).length > 0) throw wrongServer();
		if (own.size > 0) judgesFrom = performance.now() + SETTLE_MS;
		own.add(id);
		for (const earlier of own) {
			if (earlier === id) continue;
			await adopt(earlier, id);
			own.delete(earlier);
		}
		while (!isClosed) {
			const sentAt = performance.now();
			// A copy knows the listening connection by this statement (open-copy-side.ts).
			await client.query(`listen ${WAKE_CHANNEL}`);
			held = { id, provenAt: sentAt };
			settle();
			await sleep(BEAT_MS, undefined, { ref: false });
		}
		await client.query("select pg_advisory_unlock($1)", [id]);
	}

	const leave = hints.onSession(async (client) => {
		// What is claimed under the number before from now on could miss its adoption.
		held = undefined;
		// One for each connection: a retry takes no further lock.
		const id = randomInt(1, MAX_ID);
		for (let isLocked = false; !isClosed; ) {
			try {
				if (!(await isDirect(client))) throw pooledListener();
				if (!isLocked) await client.query("select pg_advisory_lock($1)", [id]);
				isLocked = true;
				await hold(client, id);
			} catch (error) {
				settle();
				if (isOfConnection(error)) throw error;
				if (!isTold) onFault(error);
				isTold = true;
				await sleep(RETRY_MS, undefined, { ref: false });
			}
		}
	});
	if (!hints.isListening) settle();

	const lock: WorkerLock = {
		get id() {
			const isProven =
				held && !isClosed && performance.now() - held.provenAt < HELD_MS;
			return isProven && held ? held.id : null;
		},
		ready,
		async releaseDead(ids, release) {
			const others = ids.filter((id) => !own.has(id));
			if (lock.id === null || performance.now() < judgesFrom) {
				missedAt.clear();
				return;
			}
			const missing = others.length > 0 ? await findUnlocked(others) : [];
			const nowMs = performance.now();
			for (const id of missedAt.keys())
				if (!missing.includes(id)) missedAt.delete(id);
			for (const id of missing) if (!missedAt.has(id)) missedAt.set(id, nowMs);
			const dead = missing.filter(
				(id) => nowMs - (missedAt.get(id) ?? nowMs) >= GRACE_MS,
			);
			if (dead.length > 0) await release(dead);
		},
		async close() {
			isClosed = true;
			leave();
		},
	};
	return lock;
}

/** A pooler gives its clients process ids of its own, and a session to several of them in turn. */
async function isDirect(client: pg.Client): Promise<boolean> {
	const { rows } = await client.query("select pg_backend_pid() as pid");
	return (
		rows[0].pid === (client as pg.Client & { processID: number }).processID
	);
}

/** Whether the listening connection itself is lost. Faults of the pool are `StorageError`s. */
function isOfConnection(error: unknown): boolean {
	const code = postgresCodeOf(error);
	return (
		!(error instanceof StorageError) &&
		(isConnectionFault(code) || code === "timeout")
	);
}

const pooledListener = () =>
	new StorageError(
		"database_unreadable",
		"listen_url leads to a pooler: give the URL of the server itself. Until then nothing wakes workers, and what a killed worker has claimed waits for its lease.",
	);

const wrongServer = () =>
	new StorageError(
		"database_unreadable",
		"listen_url leads to another database than the URL: correct it. Until then nothing wakes workers, and what a killed worker has claimed waits for its lease.",
	);
