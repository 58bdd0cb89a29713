import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

const CHANNEL = "partnerwire_wake";
const MAX_WAIT_MS = 10_000;
const CONNECT_MS = 10_000;
/** A server that went without a word is noticed after this, not after the system's two hours. */
const KEEP_ALIVE_MS = 30_000;
/** How long a server may take to say good-bye. */
const END_MS = 1_000;

export interface Hints {
	/** Tells the other processes that there may be work; hints that come at once are one. */
	notify(): void;
	close(): Promise<void>;
}

/**
 * LISTEN on a connection of its own, made again when it is lost. A hint is all that it is: after a reconnect nobody
 * knows what was missed, so `onHint` is called for it, and whoever works also looks by itself from time to time.
 */
export function openHints(
	/** Where to listen; null where nothing can be heard. */
	url: string | null,
	pool: pg.Pool,
	onHint: () => void,
): Hints {
	const own = `${process.pid}-${Math.random()}`;
	const closing = new AbortController();
	let client: pg.Client | undefined;
	let notifying: Promise<unknown> | undefined;
	let isWanted = false;

	/** Answers when the connection has ended. */
	async function listen(url: string, isFirst: boolean): Promise<boolean> {
		const next = new pg.Client({
			connectionString: url,
			connectionTimeoutMillis: CONNECT_MS,
			keepAlive: true,
			keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
		});
		client = next;
		const ended = new Promise<void>((resolve) => {
			next.on("end", resolve);
			next.on("error", () => resolve());
		});
		try {
			// A client that is ended while it connects says so, but its `connect` never answers.
			await Promise.race([next.connect(), ended]);
			if (closing.signal.aborted) return true;
			next.on("notification", ({ payload }) => {
				if (payload !== own) onHint();
			});
			await next.query(`listen ${CHANNEL}`);
			// Closed while it connected: nobody else will end it.
			if (closing.signal.aborted) return true;
			if (!isFirst) onHint();
			await ended;
			return true;
		} catch {
			return false;
		} finally {
			client = undefined;
			await endSoon(next);
		}
	}

	async function keepListening(url: string): Promise<void> {
		let waitMs = 100;
		for (let isFirst = true; !closing.signal.aborted; isFirst = false) {
			waitMs = (await listen(url, isFirst))
				? 100
				: Math.min(MAX_WAIT_MS, waitMs * 2);
			await sleep(waitMs * (0.5 + Math.random() / 2), undefined, {
				signal: closing.signal,
			}).catch(() => {});
		}
	}

	async function sendWanted(): Promise<void> {
		while (isWanted) {
			isWanted = false;
			await pool
				.query("select pg_notify($1, $2)", [CHANNEL, own])
				// The others find the work when they look.
				.catch(() => {});
		}
		notifying = undefined;
	}

	const listening = url === null ? undefined : keepListening(url);
	return {
		notify() {
			isWanted = true;
			notifying ??= sendWanted();
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

/** Ends a connection, also one whose server does not answer any more. */
async function endSoon(client: pg.Client): Promise<void> {
	const timer = setTimeout(() => toSocket(client).destroy(), END_MS);
	await client.end().catch(() => {});
	clearTimeout(timer);
}

/** pg's own way to its socket, which its types leave out. */
const toSocket = (client: pg.Client) =>
	(client as { connection: { stream: { destroy(): void } } }).connection.stream;
