import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { DedupStore } from "@partnerwire/receiver";
import type { TestClock } from "@partnerwire/receiver/testing";
import { build } from "esbuild";
import type { Place } from "./open-store.ts";

/** A store that lives in another process. */
export interface ChildStore {
	store: DedupStore;
	child: ChildProcess;
	close(): Promise<void>;
}

/** Bundles a child's program once, because Node 20 runs no TypeScript. */
export async function buildChild(
	folder: string,
	name = "dedup-peer",
): Promise<string> {
	const outfile = join(folder, `${name}.mjs`);
	await build({
		entryPoints: [join(import.meta.dirname, `../children/${name}.ts`)],
		outfile,
		bundle: true,
		platform: "node",
		format: "esm",
		conditions: ["partnerwire-source", "node"],
		external: ["better-sqlite3", "ioredis", "redis", "pg", "postgres"],
		logLevel: "error",
	});
	return outfile;
}

/** Opens a store in a process of its own and calls it over the process's channel. */
export async function openChildStore(
	program: string,
	{ client, at, space }: Omit<Place, "clock">,
	clock: TestClock,
): Promise<ChildStore> {
	const child = fork(program, [client, at, space], { execArgv: [] });
	await once(child, "message");
	const waiting = new Map<
		number,
		{ resolve(value: never): void; reject(error: Error): void }
	>();
	let ids = 0;
	child.on(
		"message",
		(answer: { id: number; result: never; error?: string }) => {
			const call = waiting.get(answer.id);
			waiting.delete(answer.id);
			if (answer.error) call?.reject(new Error(answer.error));
			else call?.resolve(answer.result);
		},
	);
	const ask = <T>(method: keyof DedupStore, ...args: unknown[]): Promise<T> =>
		new Promise((resolve, reject) => {
			const id = ++ids;
			waiting.set(id, { resolve, reject });
			child.send({ id, now: clock.now(), method, args });
		});
	return {
		child,
		store: {
			claim: (request) => ask("claim", request),
			commit: (ticket, ttlMs) => ask("commit", ticket, ttlMs),
			release: (ticket) => ask("release", ticket),
			forget: (fingerprint) => ask("forget", fingerprint),
		},
		async close() {
			if (child.exitCode !== null || child.signalCode !== null) return;
			child.kill();
			await once(child, "exit");
		},
	};
}
