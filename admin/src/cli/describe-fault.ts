/* One line for a fault of the program. It loads nothing else, because every command needs it. */
import { maskCredentials } from "./output/mask-credentials.ts";

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
	const own = `${error.name}: ${error.message}`;
	// A refusal that follows from a fault, as that of /readyz.
	return error.name === "ApiError" && error.cause instanceof Error
		? `${own}: ${describe(error.cause)}`
		: own;
}
