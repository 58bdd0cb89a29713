import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/** A process that listens on it has the database open (open-copy-side.ts). */
export const WAKE_CHANNEL = "partnerwire_wake";
/** Workers wait longer (`SETTLE_MS` of worker-lock.ts) before they believe that one which lost its connection is dead. */
const MAX_WAIT_MS = 2_000;
const CONNECT_MS = 3_000;
/** Without an answer for so long, the connection is taken for lost. */
const ANSWER_MS = 10_000;
/** A server that vanished is noticed after this time; the system's default is two hours. */
const KEEP_ALIVE_MS = 30_000;
/** How long the server may take to close the connection. */
const END_MS = 1_000;

export interface Hints {
	/** Tells other processes that there may be work. Hints sent at the same time are merged. */
	notify(): void;
	/** Whether there is, or may soon be, a connection to listen on. */
	readonly isListening: boolean;
	/** Runs `use` on the listening connection, now and after each reconnect. The connection is ended if it rejects. */
	onSession(use: UseSession): () => void;
	close(): Promise<void>;
}

type UseSession = (client: pg.Client) => Promise<void>;

/**
 * Listens for hints from other processes on a connection of its own, and reconnects when it is lost. A hint promises
 * nothing: hints missed while disconnected are unknown, so `onHint` is called after a reconnect, and workers also look
 * by themselves from time to time.
 */
export function openHints(
	/** The URLs to listen on, tried in turn; null if no NOTIFY can be received there. */
	urls: readonly string[] | null,
	pool: pg.Pool,
	onHint: () => void,
): Hints {
	const own = `${process.pid}-${Math.random()}`;
	const closing = new AbortController();
	let client: pg.Client | undefined;
	let notifying: Promise<unknown> | undefined;
	let isWanted = false;
	const users = new Set<UseSession>();
	/** The connection, once it listens. */
	let session: pg.Client | undefined;
	const runOn = (client: pg.Client, use: UseSession) =>
		void use(client).catch(() => endSoon(client));

	/** Listens until the connection ends. Returns whether it was established. */
	async function listen(url: string, isFirst: boolean): Promise<boolean> {
		const next = new pg.Client({
			connectionString: url,
			connectionTimeoutMillis: CONNECT_MS,
			query_timeout: ANSWER_MS,
			keepAlive: true,
			keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
		});
		client = next;
		const ended = new Promise<void>((resolve) => {
			next.on("end", resolve);
			next.on("error", () => resolve());
		});
		try {
			// If a client is ended while connecting, it emits `end`, but its `connect` never resolves.
			await Promise.race([next.connect(), ended]);
			if (closing.signal.aborted) return true;
			next.on("notification", ({ payload }) => {
				if (payload !== own) onHint();
			});
			await next.query(`listen ${WAKE_CHANNEL}`);
			// Closed while connecting: nothing else would end this client.
			if (closing.signal.aborted) return true;
			if (!isFirst) onHint();
			session = next;
			for (const use of users) runOn(next, use);
			await ended;
			return true;
		} catch {
			return false;
		} finally {
			client = undefined;
			session = undefined;
			await endSoon(next);
		}
	}

	async function keepListening(urls: readonly string[]): Promise<void> {
		let waitMs = 100;
		for (let failures = 0, isFirst = true; !closing.signal.aborted; ) {
			const url = urls[failures % urls.length] as string;
			const hasListened = await listen(url, isFirst);
			isFirst = false;
			if (!hasListened) failures++;
			waitMs = hasListened ? 100 : Math.min(MAX_WAIT_MS, waitMs * 2);
			await sleep(waitMs * (0.5 + Math.random() / 2), undefined, {
				signal: closing.signal,
			}).catch(() => {});
		}
	}

	async function sendWanted(): Promise<void> {
		while (isWanted) {
			isWanted = false;
			await pool
				.query("select pg_notify($1, $2)", [WAKE_CHANNEL, own])
				// Other processes find the work when they look by themselves.
				.catch(() => {});
		}
		notifying = undefined;
	}

	const listening = urls === null ? undefined : keepListening(urls);
	return {
		notify() {
			isWanted = true;
			notifying ??= sendWanted();
		},
		isListening: listening !== undefined,
		onSession(use) {
			users.add(use);
			if (session) runOn(session, use);
			return () => users.delete(use);
		},
		async close() {
			closing.abort();
			isWanted = false;
			await notifying;
			if (client) await endSoon(client);
			await listening;
		},
	};
}

/** Ends a connection, even if its server no longer answers. */
async function endSoon(client: pg.Client): Promise<void> {
	const timer = setTimeout(() => toSocket(client).destroy(), END_MS);
	await client.end().catch(() => {});
	clearTimeout(timer);
}

/** The socket of a client, which pg's types leave out. */
const toSocket = (client: pg.Client) =>
	(client as { connection: { stream: { destroy(): void } } }).connection.stream;
