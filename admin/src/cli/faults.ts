import { SecretKeyError, StorageError } from "@partnerwire/core";
import { maskCredentials } from "./output/mask-credentials.ts";
import { writeError } from "./output/standard-streams.ts";

/** One line about a fault for the service's log: no stack, no statement, no value that was stored, no password. */
export const describeFault = (error: unknown): string =>
	maskCredentials(describe(error));

function describe(error: unknown): string {
	if (!(error instanceof Error)) return "unknown fault";
	// drizzle puts the statement and its values into its message; what the database said is in the cause.
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
 * Takes a fault of a process that stays up: logs it to standard error, so that `--json` output stays clean, and ends the process
 * where nothing but a new start helps (docs/database.md).
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

/** The disk did not confirm a write, or the database was put under another key than the one that this process started with. */
const needsNewStart = (error: unknown): boolean =>
	error instanceof Error &&
	((error instanceof StorageError && error.code === "database_unconfirmed") ||
		error instanceof SecretKeyError ||
		needsNewStart(error.cause));
