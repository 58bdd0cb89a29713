/** The command line was used wrongly: exit code 2. */
export class UsageError extends Error {
	override readonly name = "UsageError";
}

/** A failure that the user can fix: one sentence, exit code 1. */
export class CommandError extends Error {
	override readonly name = "CommandError";
}
