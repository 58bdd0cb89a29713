import { SecretKeyError, StorageError } from "@partnerwire/core";
import { describeFault } from "./describe-fault.ts";
import { writeError } from "./output/standard-streams.ts";

/** The same fault is logged once in this time, with the number of those since. */
const REPEAT_MS = 60_000;
/** Beyond so many different ones within that time, each is logged. */
const MOST_COUNTED = 100;
const repeated = new Map<string, number>();

function logFault(message: string, count?: number): void {
	const time = new Date().toISOString();
	const entry = { level: "error", time, message, repeated: count };
	writeError(`${JSON.stringify(entry)}\n`);
}

/** Logs what was counted since. A fault that has ended is forgotten. */
function watchRepeats(message: string): void {
	repeated.set(message, 0);
	setTimeout(() => {
		const count = repeated.get(message);
		repeated.delete(message);
		if (!count) return;
		logFault(message, count);
		watchRepeats(message);
	}, REPEAT_MS).unref();
}

/**
 * Handles a fault of a long-running process. Logs it to standard error, so that `--json` output stays clean, and ends the
 * process if only a restart helps (docs/database.md). A fault that repeats is counted instead of logged again.
 */
export function takeFault(error: unknown): void {
	const message = describeFault(error);
	const count = repeated.get(message);
	if (count !== undefined) repeated.set(message, count + 1);
	else {
		logFault(message);
		if (repeated.size < MOST_COUNTED) watchRepeats(message);
	}
	if (needsNewStart(error)) process.exit(1);
}

/** Whether the disk did not confirm a write, or the database got another key after this process started. */
const needsNewStart = (error: unknown): boolean =>
	error instanceof Error &&
	((error instanceof StorageError && error.code === "database_unconfirmed") ||
		error instanceof SecretKeyError ||
		needsNewStart(error.cause));
