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
	/** Resolves once no sync is under way, or one has failed. */
	ended(): Promise<void>;
	close(): void;
}

/** Writes a file's data through to the disk. */
export type SyncFile = (descriptor: number) => Promise<void>;

/**
 * Syncs the log of a database in WAL mode in the place of its connection, whose commits then leave that out
 * (`synchronous=NORMAL`: it still syncs around each checkpoint, in that order). One sync covers all commits made before it
 * began; those made while it runs share the next one. After a failed one nobody knows what the disk holds, and another that
 * succeeds would prove nothing: what failed is never written again. Only a new start can tell, which reads the log and copies
 * it back into the file.
 *
 * @param database the file's path without symbolic links: its log lies beside it
 */
export function openLogSync(
	database: string,
	syncFile: SyncFile = promisify(fdatasync),
): LogSync {
	syncFolder(dirname(database));
	const log = openSync(`${database}-wal`, "r+");
	let running: Promise<void> | undefined;
	let next: Promise<void> | undefined;

	const syncLog = () =>
		syncFile(log).catch((error: NodeJS.ErrnoException) => {
			throw new StorageError(
				"database_unconfirmed",
				`The disk did not confirm a write (${error.code}): whether it is stored shows after the next start, and until then nothing is written or read.`,
				error,
			);
		});

	const pending = () => next ?? running;

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
		pending,
		async ended() {
			try {
				while (pending()) await pending();
			} catch {
				// Whoever waits for it has been told.
			}
		},
		close: () => closeSync(log),
	};
}

/** A file that is new survives only together with its name; where folders cannot be synced that is not needed, as SQLite has it. */
function syncFolder(path: string): void {
	let folder: number | undefined;
	try {
		folder = openSync(path, "r");
		fsyncSync(folder);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "EIO") throw error;
	} finally {
		if (folder !== undefined) closeSync(folder);
	}
}
