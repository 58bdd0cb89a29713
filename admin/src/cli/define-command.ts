import type { ArgsDef, CommandContext, CommandDef } from "citty";
import {
	refuseEmptyWords,
	refuseUnknownFlags,
	refuseWordsTooMany,
} from "./refuse-misspelt.ts";

/** A command or a group of commands, with command lines that show its use. */
export interface Command extends CommandDef {
	readonly examples: readonly string[];
	/** Throws a `UsageError` for a misspelt flag: before anything is said of one that is missing. */
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

/** Flags that every command has; colours are switched off where they are made, in `output.ts`. */
const COMMON = {
	color: {
		type: "boolean",
		description: "Colours on a terminal (the default)",
		negativeDescription: "No colours; NO_COLOR does the same",
	},
} as const satisfies ArgsDef;

/** A command that refuses flags and words that it does not know, instead of ignoring a misspelt one. */
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
	// A group holds commands with different arguments: each knows its own.
	return {
		...(strict as unknown as CommandDef),
		examples,
		check: (rawArgs) => refuseUnknownFlags(rawArgs, args),
	};
}

/** A group of commands, such as `key create` and `key list`. */
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
