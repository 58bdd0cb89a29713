import type { Db } from "../db.ts";
import type { Outcome, PostgresWriter, Work } from "../postgres/writer.ts";
import { StorageError } from "../storage-error.ts";

interface Job {
	readonly work: Work;
	settle(outcome: Outcome): void;
}

/** Up to this many waiting writes share the next transaction. */
const MAX_WRITES = 32;

export interface ScopedCommit {
	write<Result>(
		work: (db: Db) => Promise<Result>,
		scope: string | null,
	): Promise<Result>;
	/** Resolves once every write begun so far has its result. */
	drain(): Promise<void>;
}

/**
 * Runs writes of one scope one after another on all nodes, as on SQLite, by an advisory lock of their transaction.
 * Writes of this process that wait for it share the next transaction, which makes waiting cheap. Writes without a scope
 * run at once, in parallel.
 */
export function createScopedCommit(writer: PostgresWriter): ScopedCommit {
	const queues = new Map<string, Job[]>();
	const running = new Set<Promise<void>>();

	const track = (work: Promise<void>) => {
		running.add(work);
		void work.finally(() => running.delete(work));
	};

	async function runJobs(jobs: readonly Job[], scope: string | null) {
		try {
			const works = jobs.map(({ work }) => work);
			const outcomes = await writer.run(works, scope);
			for (const [index, job] of jobs.entries())
				job.settle(outcomes[index] as Outcome);
		} catch (error) {
			// Errors of the server concern all jobs; and after an unknown COMMIT, a second try could store everything twice.
			if (jobs.length === 1 || error instanceof StorageError) {
				for (const job of jobs) job.settle({ error });
				return;
			}
			// One job made the transaction fail: alone, each gets its own result.
			for (const job of jobs) await runJobs([job], scope);
		}
	}

	async function runQueue(queue: Job[], scope: string): Promise<void> {
		while (queue.length > 0) await runJobs(queue.splice(0, MAX_WRITES), scope);
		queues.delete(scope);
	}

	return {
		write<Result>(work: (db: Db) => Promise<Result>, scope: string | null) {
			if (writer.isInside()) {
				return Promise.reject(
					new TypeError(
						"write() inside write(): pass the transaction's db along instead",
					),
				);
			}
			return new Promise<Result>((resolve, reject) => {
				const job: Job = {
					work,
					settle: (outcome) =>
						"error" in outcome
							? reject(outcome.error)
							: resolve(outcome.value as Result),
				};
				if (scope === null) return track(runJobs([job], null));
				const queue = queues.get(scope);
				if (queue) return void queue.push(job);
				const begun = [job];
				queues.set(scope, begun);
				track(runQueue(begun, scope));
			});
		},
		async drain() {
			while (running.size > 0) await Promise.all(running);
		},
	};
}
