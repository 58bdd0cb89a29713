import {
	closeSync,
	fdatasync,
	fstatSync,
	fsyncSync,
	openSync,
	readSync,
	writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { StorageError } from "../storage-error.ts";

/** Makes commits survive a power cut without blocking the event loop. */
export interface LogSync {
	/** The size of the log on the disk. */
	bytes(): number;
	/** Whether `rewrite` must run before the next commit. */
	readonly isUnsure: boolean;
	/**
	 * Writes the log entries of an earlier process to the disk again. Called with the write lock held. Rejects with a
	 * `StorageError` while the disk refuses.
	 */
	rewrite(): Promise<void>;
	/** Resolves once everything committed so far is durable. Rejects with a `StorageError`, and from then on always. */
	sync(): Promise<void>;
	/** The same for earlier calls of `sync`; undefined if those are durable already. */
	pending(): Promise<void> | undefined;
	/** Resolves once no sync is under way, or one has failed. */
	ended(): Promise<void>;
	close(): void;
}

const BLOCK_BYTES = 1024 * 1024;

/** Syncs a file's data to the disk. */
export type SyncFile = (descriptor: number) => Promise<void>;

/**
 * Syncs the log of a database in WAL mode in place of its connection, whose commits then do not sync
 * (`synchronous=NORMAL`, which still syncs around each checkpoint, in the right order). One sync covers all commits
 * made before it began. Commits made while it runs share the next one.
 *
 * After a failed sync, nobody knows what the disk holds, and a later success proves nothing: nothing is written any
 * more. A new start reads the log and copies it back into the file. If it cannot copy all of it, because another
 * program reads or the disk is full, part of the log may exist only in memory, and after a power cut the log would end
 * there. So the log is first overwritten with itself and synced.
 *
 * Other processes on the file need no help. If one had the log open when the sync failed, its own next sync fails too.
 * If it opens the log later, it does the same before its first commit.
 *
 * @param database the file's path without symbolic links: its log is beside it
 */
export function openLogSync(
	database: string,
	syncFile: SyncFile = promisify(fdatasync),
): LogSync {
	syncFolder(dirname(database));
	const log = openSync(`${database}-wal`, "r+");
	let running: Promise<void> | undefined;
	let next: Promise<void> | undefined;
	let isUnsure = fstatSync(log).size > 0;

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

	async function rewrite(): Promise<void> {
		try {
			writeOverItself(log);
			await syncFile(log);
		} catch (error) {
			const { code = "" } = error as NodeJS.ErrnoException;
			throw new StorageError(
				/^(ENOSPC|EDQUOT)$/.test(code) ? "database_full" : "database_io",
				`The disk does not take what an earlier run left in the log (${code}), and nothing is stored until it does.`,
				error,
			);
		}
		isUnsure = false;
	}

	return {
		get isUnsure() {
			return isUnsure;
		},
		bytes: () => fstatSync(log).size,
		rewrite,
		sync() {
			// This process has written nothing to the log yet.
			if (isUnsure) return Promise.resolve();
			if (!running) return begin();
			next ??= running.then(begin);
			return next;
		},
		pending,
		async ended() {
			try {
				while (pending()) await pending();
			} catch {
				// Those who wait for the sync get its error.
			}
		},
		close: () => closeSync(log),
	};
}

/** Overwrites a file with itself. Without writing, the system takes pages whose sync has failed for written. */
function writeOverItself(file: number): void {
	const block = Buffer.alloc(BLOCK_BYTES);
	for (let at = 0; ; ) {
		const read = readSync(file, block, 0, BLOCK_BYTES, at);
		if (read === 0) return;
		at += writeSync(file, block, 0, read, at);
	}
}

/**
 * A new file survives a power cut only with its name, so its folder is synced. Where folders cannot be synced, this is
 * not needed; SQLite assumes the same.
 */
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
