import type Sqlite from "better-sqlite3";
import type { LogSync } from "./log-sync.ts";

/** The size to which a log shrinks: as large as it is when it is copied back in the usual way. */
const MOST_BYTES = 33_554_432;
const EVERY_MS = 5_000;

/**
 * Makes the log small again after another program's long read, for which it could not be reused and grew. SQLite does so
 * when it begins the log anew, which takes writes. If none come, the log is copied back and cut off here. That waits for
 * nobody: while it is still being read, the next look tries again.
 */
export function limitLog(
	raw: Sqlite.Database,
	log: LogSync,
): { close(): void } {
	raw.pragma(`journal_size_limit = ${MOST_BYTES}`);
	let bytesBefore = 0;
	const timer = setInterval(() => {
		const bytes = log.bytes();
		const isIdle = bytes === bytesBefore && !raw.inTransaction;
		bytesBefore = bytes;
		// The next write rewrites the entries that an earlier process left.
		if (bytes <= MOST_BYTES || !isIdle || log.isUnsure || log.pending()) return;
		try {
			raw.pragma("wal_checkpoint(TRUNCATE)");
		} catch {
			// A full disk, or another process that copies the log back. Nothing is lost in the log.
		}
	}, EVERY_MS);
	timer.unref();
	return { close: () => clearInterval(timer) };
}
