import type { ArgsDef, CommandContext, CommandDef } from "citty";
import {
	refuseEmptyWords,
	refuseUnknownFlags,
	refuseWordsTooMany,
} from "./refuse-misspelt.ts";

/** A command or a group of commands, with examples. */
export interface Command extends CommandDef {
	readonly examples: readonly string[];
	/** Throws a `UsageError` for a misspelt flag. It runs before the check for missing flags. */
	readonly check?: (rawArgs: readonly string[]) => void;
}

interface StrictCommand<Args extends ArgsDef> {
	readonly name: string;
	readonly description: string;
	/** Whole command lines, such as `partnerwire key list`; its help shows them. */
	readonly examples: readonly [string, ...string[]];
	readonly args: Args;
	run(context: CommandContext<Args>): Promise<void>;
}

/** Flags of every command. `output.ts` handles the one for colours. */
const COMMON = {
	color: {
		type: "boolean",
		description: "Colours on a terminal (the default)",
		negativeDescription: "No colours; NO_COLOR does the same",
	},
} as const satisfies ArgsDef;

/** Defines a command that refuses unknown flags and words. citty would ignore a misspelt one. */
export function defineStrictCommand<const Args extends ArgsDef>(
	command: StrictCommand<Args>,
): Command {
	const { name, description, examples } = command;
	const args = { ...command.args, ...COMMON };
	const strict: CommandDef<Args> = {
		meta: { name, description },
		args,
		run: (context) => {
			refuseWordsTooMany(context.args._.length, args);
			refuseEmptyWords(context.args, args);
			return command.run(context);
		},
	};
	// The cast drops the type of the arguments, because a group mixes commands. It is true: `run` only gets its own.
	return {
		...(strict as unknown as CommandDef),
		examples,
		check: (rawArgs) => refuseUnknownFlags(rawArgs, args),
	};
}

/** Defines a group of commands, such as `key create` and `key list`. */
export function defineGroup(
	name: string,
	description: string,
	subCommands: Record<string, Command>,
): Command {
	const examples = Object.values(subCommands).map(
		(command) => command.examples[0] as string,
	);
	return { meta: { name, description }, subCommands, examples };
}
