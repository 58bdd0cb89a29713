/** The command line was used wrongly: exit code 2. */
export class UsageError extends Error {
	override readonly name = "UsageError";
}

/** Something that the user can put right failed: one sentence, exit code 1. */
export class CommandError extends Error {
	override readonly name = "CommandError";
}
