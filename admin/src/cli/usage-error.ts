/** The command line was used wrongly: exit code 2. */
export class UsageError extends Error {
	override readonly name = "UsageError";
}

/** A failure that the user can fix: one sentence, exit code 1. */
export class CommandError extends Error {
	override readonly name = "CommandError";
}

/** The error for a value that is an empty text, such as that of an unset variable. */
export const emptyValue = (name: string): UsageError =>
	new UsageError(`${name} is empty: is the variable that it comes from set?`);
