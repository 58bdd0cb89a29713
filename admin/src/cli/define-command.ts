import type { ArgsDef, CommandContext, CommandDef } from "citty";
import { UsageError } from "./usage-error.ts";

interface StrictCommand<Args extends ArgsDef> {
	readonly name: string;
	readonly description: string;
	readonly args: Args;
	run(context: CommandContext<Args>): Promise<void>;
}

/** A command that refuses flags and words that it does not know, instead of ignoring a misspelt one. */
export function defineStrictCommand<const Args extends ArgsDef>(
	command: StrictCommand<Args>,
): CommandDef {
	const { name, description, args } = command;
	const strict: CommandDef<Args> = {
		meta: { name, description },
		args,
		run: (context) => {
			refuseUnknown(context.rawArgs, args, context.args._.length);
			return command.run(context);
		},
	};
	// A group holds commands with different arguments: each knows its own.
	return strict as unknown as CommandDef;
}

function refuseUnknown(
	rawArgs: readonly string[],
	args: ArgsDef,
	words: number,
): void {
	const known = new Set(Object.keys(args).map((name) => `--${name}`));
	for (const raw of rawArgs) {
		if (!raw.startsWith("--") || raw === "--") continue;
		const flag = (raw.split("=")[0] as string).replace(/^--no-/, "--");
		if (!known.has(flag))
			throw new UsageError(
				`unknown flag ${flag}; known: ${[...known].sort().join(" ")}`,
			);
	}
	const positionals = Object.values(args).filter(
		({ type }) => type === "positional",
	).length;
	if (words > positionals)
		throw new UsageError(`${words} words given, ${positionals} expected`);
}

/** A group of commands, such as `key create` and `key list`. */
export function defineGroup(
	name: string,
	description: string,
	subCommands: Record<string, CommandDef>,
): CommandDef {
	return { meta: { name, description }, subCommands };
}
