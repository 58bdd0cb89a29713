import { closeSync, fdatasync, fsyncSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { StorageError } from "./storage-error.ts";

/** Makes what was committed survive a power cut, while the event loop goes on. */
export interface LogSync {
	/** Resolves once everything that is committed now is durable. Rejects with a `StorageError`, from then on always. */
	sync(): Promise<void>;
	/** The same for what `sync` was called for; undefined when that is durable already. */
	pending(): Promise<void> | undefined;
	close(): void;
}

/** Writes a file's data through to the disk. */
export type SyncFile = (descriptor: number) => Promise<void>;

/**
 * Syncs the log of a database in WAL mode in the place of its connection, whose commits then leave that out
 * (`synchronous=NORMAL`: it still syncs around each checkpoint, in that order). One sync covers all commits made before it
 * began; those made while it runs share the next one. After a failed one nobody knows what the disk holds, and another that
 * succeeds would prove nothing: only a new start, which reads the log again, can tell.
 *
 * @param database the file's path without symbolic links: its log lies beside it
 */
export function openLogSync(
	database: string,
	syncFile: SyncFile = promisify(fdatasync),
): LogSync {
	const log = openSync(`${database}-wal`, "r+");
	syncFolder(dirname(database));
	let running: Promise<void> | undefined;
	let next: Promise<void> | undefined;

	const syncLog = () =>
		syncFile(log).catch((error: NodeJS.ErrnoException) => {
			throw new StorageError(
				"database_io",
				`The disk did not confirm a write (${error.code}): whether it is stored shows after the next start, and until then nothing is written or read.`,
				error,
			);
		});

	function begin(): Promise<void> {
		next = undefined;
		const begun = syncLog();
		running = begun;
		begun.then(
			() => {
				if (!next) running = undefined;
			},
			() => {},
		);
		return begun;
	}

	return {
		sync() {
			if (!running) return begin();
			next ??= running.then(begin);
			return next;
		},
		pending: () => next ?? running,
		close: () => closeSync(log),
	};
}

/** A file that is new survives only together with its name, which Windows keeps by itself. */
function syncFolder(path: string): void {
	if (process.platform === "win32") return;
	const folder = openSync(path, "r");
	try {
		fsyncSync(folder);
	} finally {
		closeSync(folder);
	}
}
