import { SecretKeyError, StorageError } from "@partnerwire/core";
import { describeFault } from "./describe-fault.ts";
import { writeError } from "./output/standard-streams.ts";

/**
 * Handles a fault of a long-running process. Logs it to standard error, so that `--json` output stays clean, and ends the
 * process if only a restart helps (docs/database.md).
 */
export function takeFault(error: unknown): void {
	const entry = {
		level: "error",
		time: new Date().toISOString(),
		message: describeFault(error),
	};
	writeError(`${JSON.stringify(entry)}\n`);
	if (needsNewStart(error)) process.exit(1);
}

/** Whether the disk did not confirm a write, or the database got another key after this process started. */
const needsNewStart = (error: unknown): boolean =>
	error instanceof Error &&
	((error instanceof StorageError && error.code === "database_unconfirmed") ||
		error instanceof SecretKeyError ||
		needsNewStart(error.cause));
