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

/** Makes what was committed survive a power cut, while the event loop goes on. */
export interface LogSync {
	/** Whether nothing may be committed before `rewrite`. */
	readonly isUnsure: boolean;
	/**
	 * Writes to the disk what an earlier process left in the log; called with the write lock held. Rejects with a `StorageError`
	 * while the disk does not take it.
	 */
	rewrite(): Promise<void>;
	/** Resolves once everything that is committed now is durable. Rejects with a `StorageError`, from then on always. */
	sync(): Promise<void>;
	/** The same for what `sync` was called for; undefined when that is durable already. */
	pending(): Promise<void> | undefined;
	/** Resolves once no sync is under way, or one has failed. */
	ended(): Promise<void>;
	close(): void;
}

const BLOCK_BYTES = 1024 * 1024;

/** Writes a file's data through to the disk. */
export type SyncFile = (descriptor: number) => Promise<void>;

/**
 * Syncs the log of a database in WAL mode in the place of its connection, whose commits then leave that out
 * (`synchronous=NORMAL`: it still syncs around each checkpoint, in that order). One sync covers all commits made before it
 * began; those made while it runs share the next one. After a failed one nobody knows what the disk holds, and another that
 * succeeds would prove nothing: what failed is never written again. Only a new start can tell, which reads the log and copies
 * it back into the file. Where it cannot copy all of it, because another program reads or the disk is full, the log goes on
 * behind what may be in memory only, and after a power cut would end there: so it is first written over with itself, which is
 * synced. Another process on the file needs none of that from us: if it had the log open when the sync failed, its own next sync fails
 * too, and if it opens the log later, it does the same before its first commit.
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
		rewrite,
		sync() {
			// Nothing of this process is in the log yet.
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
				// Whoever waits for it has been told.
			}
		},
		close: () => closeSync(log),
	};
}

/** Reading alone would leave pages whose sync has failed as they are: taken for written. */
function writeOverItself(file: number): void {
	const block = Buffer.alloc(BLOCK_BYTES);
	for (let at = 0; ; ) {
		const read = readSync(file, block, 0, BLOCK_BYTES, at);
		if (read === 0) return;
		at += writeSync(file, block, 0, read, at);
	}
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
