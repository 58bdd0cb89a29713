import {
	setImmediate as nextTurn,
	setTimeout as sleep,
} from "node:timers/promises";
import type Sqlite from "better-sqlite3";
import type { Db } from "../db.ts";
import { StorageError } from "../storage-error.ts";
import { isBusy, toStorageError } from "./faults.ts";
import type { LogSync } from "./log-sync.ts";

/** A batch ends at this many writes, or after `maxBatchMs`. */
const MAX_WRITES = 512;
/** How long another process may hold the write lock before a write gives up. */
const MAX_LOCK_WAIT_MS = 10_000;
/** How long writes wait for one that has begun and does not end; then they are refused. */
const MAX_WRITE_MS = 20_000;

interface Job {
	work: (db: Db) => Promise<unknown>;
	settle: (outcome: Outcome) => void;
}
type Outcome = { value: unknown } | { error: unknown };

export interface GroupCommitOptions {
	/** Called with the number of writes of each committed batch. */
	readonly onBatch: (writes: number) => void;
	/** A longer transaction would delay the event loop and its sockets. */
	readonly maxBatchMs: number;
}

export interface GroupCommit {
	write<Result>(work: (db: Db) => Promise<Result>): Promise<Result>;
	/** Resolves once every write queued so far has its result. */
	drain(): Promise<void>;
}

/**
 * Writes through one connection in batches. Each write of a batch runs in its own savepoint, one `COMMIT` ends the
 * batch, and callers get their results only after the log is synced. One sync for many writes is what makes durability
 * affordable.
 *
 * @param fault the newest error that a statement of this connection threw, if the transaction cannot survive it
 */
export function createGroupCommit(
	raw: Sqlite.Database,
	db: Db,
	log: LogSync,
	fault: { current: StorageError | undefined },
	{ onBatch, maxBatchMs }: GroupCommitOptions,
): GroupCommit {
	const queue: Job[] = [];
	let running: Promise<void> | undefined;
	let refusalTimer: NodeJS.Timeout | undefined;
	let isWriting = false;
	/** The error after which nothing is written any more. */
	let end: StorageError | undefined;

	const begin = raw.prepare("BEGIN IMMEDIATE");
	const commit = raw.prepare("COMMIT");
	const rollback = raw.prepare("ROLLBACK");
	const savepoint = raw.prepare("SAVEPOINT write");
	const release = raw.prepare("RELEASE write");
	const undo = raw.prepare("ROLLBACK TO write");
	const changes = raw.prepare("SELECT total_changes()").pluck();

	/**
	 * A write that calls `write` waits for its own turn and would never end. The waiting writes are refused after a time,
	 * and it goes on. Refusing at once would need an AsyncLocalStorage, which costs a twentieth of a delivery before
	 * AsyncContextFrame.
	 */
	function refuseWaiting(): void {
		if (!isWriting) return;
		const error = new TypeError(
			`a write has not ended for ${MAX_WRITE_MS / 1000} s. If it is write() inside write(): pass the transaction's db along instead`,
		);
		for (const job of queue.splice(0)) job.settle({ error });
	}

	async function beginWhenFree(): Promise<void> {
		const deadline = performance.now() + MAX_LOCK_WAIT_MS;
		for (;;) {
			try {
				begin.run();
				return;
			} catch (error) {
				if (!isBusy(error)) throw error;
				if (performance.now() > deadline) {
					throw new StorageError(
						"database_busy",
						"Another process holds the database's write lock.",
						error,
					);
				}
				await sleep(1 + Math.random() * 9);
			}
		}
	}

	async function run({ work }: Job): Promise<unknown> {
		refusalTimer?.refresh();
		isWriting = true;
		try {
			return await work(db);
		} finally {
			isWriting = false;
		}
	}

	async function runInSavepoint(job: Job): Promise<Outcome> {
		savepoint.run();
		try {
			const value = await run(job);
			release.run();
			return { value };
		} catch (error) {
			if (raw.inTransaction) {
				undo.run();
				release.run();
			}
			return { error };
		}
	}

	async function answerAfter(
		durable: Promise<void> | undefined,
		jobs: readonly Job[],
		outcomes: readonly Outcome[],
	): Promise<void> {
		try {
			await durable;
			for (const [index, job] of jobs.entries())
				job.settle(outcomes[index] as Outcome);
		} catch (error) {
			end = error as StorageError;
			for (const job of jobs) job.settle({ error });
		}
	}

	async function runBatch(): Promise<void> {
		const taken: Job[] = [];
		const outcomes: Outcome[] = [];
		try {
			fault.current = undefined;
			await beginWhenFree();
			if (end) throw end;
			const started = performance.now();
			const changesBefore = log.isUnsure ? changes.get() : undefined;
			// A single write needs no savepoint, which would keep a copy of each page: rolling back the transaction undoes
			// it.
			const isAlone = queue.length === 1;
			do {
				const job = queue.shift() as Job;
				taken.push(job);
				outcomes.push(
					isAlone ? { value: await run(job) } : await runInSavepoint(job),
				);
				if (fault.current) throw fault.current;
			} while (
				!isAlone &&
				queue.length > 0 &&
				taken.length < MAX_WRITES &&
				performance.now() - started < maxBatchMs
			);
			// A batch without changes writes nothing, such as the check of the key at the start. A full disk does not prevent
			// it.
			if (log.isUnsure && changes.get() !== changesBefore) await log.rewrite();
			commit.run();
			onBatch(taken.length);
			void answerAfter(log.sync(), taken, outcomes);
		} catch (cause) {
			// The engine may have rolled back by itself (SQLITE_FULL, IOERR). In either case nothing of the batch is stored.
			if (raw.inTransaction) rollback.run();
			const error = fault.current ?? toStorageError(cause) ?? cause;
			const failed = taken.length > 0 ? taken : queue.splice(0);
			// A refused write may have read rows that are not durable yet.
			void answerAfter(
				log.pending(),
				failed,
				failed.map(() => ({ error })),
			);
		}
	}

	async function runAll(): Promise<void> {
		refusalTimer = setInterval(refuseWaiting, MAX_WRITE_MS);
		while (queue.length > 0) {
			// Without this turn of the event loop, a batch would hold only the write that opened it.
			await nextTurn();
			await runBatch();
		}
		clearInterval(refusalTimer);
		running = undefined;
	}

	return {
		write: <Result>(work: (db: Db) => Promise<Result>) =>
			new Promise<Result>((resolve, reject) => {
				queue.push({
					work,
					settle: (outcome) =>
						"error" in outcome
							? reject(outcome.error)
							: resolve(outcome.value as Result),
				});
				running ??= runAll();
			}),
		async drain() {
			do {
				await running;
				await log.ended();
			} while (running);
		},
	};
}
