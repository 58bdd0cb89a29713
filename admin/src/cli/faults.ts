import { SecretKeyError, StorageError } from "@partnerwire/core";
import { maskCredentials } from "./output/mask-credentials.ts";
import { writeError } from "./output/standard-streams.ts";

/** Describes a fault in one line of the service's log: without stack, SQL, stored values or passwords. */
export const describeFault = (error: unknown): string =>
	maskCredentials(describe(error));

function describe(error: unknown): string {
	if (!(error instanceof Error)) return "unknown fault";
	// drizzle's message holds the statement and its values. The database's own message is in the cause.
	if (
		error.name === "DrizzleQueryError" ||
		error.message.startsWith("Failed query")
	) {
		return error.cause instanceof Error
			? `database: ${error.cause.message}`
			: "database: a query failed";
	}
	return `${error.name}: ${error.message}`;
}

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
