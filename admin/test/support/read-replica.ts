// Stores that read from a standby, for tests of which server answers.

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { openStore, type ReplicaChange, type Store } from "@partnerwire/core";
import { expect, onTestFinished } from "vitest";

/** The URL of a database with a standby that answers lists. */
export const withStandby = (database: string, standby: string): string =>
	`${database}?read_url=${encodeURIComponent(standby)}`;

/** A store with a clock that a test can put forward, and with the changes that were reported. */
export async function openReadingStore(url: string) {
	let forwardMs = 0;
	const changes: ReplicaChange[] = [];
	const store = await openStore(url, {
		replica: {
			onChange: (change) => changes.push(change),
			now: () => performance.now() + forwardMs,
		},
	});
	onTestFinished(() => store.close());
	return {
		store,
		changes,
		forward(ms: number) {
			forwardMs += ms;
		},
		/** Waits until the standby answers. */
		serves: () => expect.poll(() => store.replica?.serves()).toBe(true),
	};
}

/** Whether a standby answered, by its own word, and the staleness that came with the answer. */
export async function ask(store: Store) {
	let stalenessMs: number | null = null;
	const [row] = await store.readSnapshot(
		(db) =>
			db.postgres?.<{ is: boolean }>(
				"in_recovery",
				"select pg_is_in_recovery() as is",
				[],
			) ?? Promise.resolve([]),
		(ms) => {
			stalenessMs = ms;
		},
	);
	return { byStandby: row?.is, stalenessMs };
}
/** The answer to `ask` of the database itself. */
export const BY_PRIMARY = { byStandby: false, stalenessMs: null };

/** An address of PostgreSQL that leads to the server of a port, until it is told otherwise. */
export async function openAddress(port: number) {
	let to: number | null = port;
	const sockets = new Set<Socket>();
	const keep = (socket: Socket) => {
		sockets.add(socket);
		return socket.on("error", () => {});
	};
	const server = createServer((here) => {
		keep(here);
		if (to === null) return;
		const there = keep(connect(to, "127.0.0.1"));
		here.pipe(there).pipe(here);
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	const cut = () => {
		for (const socket of sockets) socket.destroy();
		sockets.clear();
	};
	onTestFinished(() => {
		server.close();
		cut();
	});
	return {
		url: `postgres://postgres:postgres@127.0.0.1:${(server.address() as AddressInfo).port}/postgres`,
		/** Leads to another server. */
		leadTo(other: number) {
			to = other;
			cut();
		},
		/** Takes connections and answers nothing more, like a machine that hangs. */
		hang() {
			to = null;
			for (const socket of sockets) socket.unpipe().pause();
		},
	};
}
