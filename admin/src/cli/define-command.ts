/* Defines commands and groups of commands for citty, from their flags (settings/flag.ts). */
import type { CommandDef } from "citty";
import { createOutput, type Output } from "./output/output.ts";
import { refuseUnknownFlags, refuseWords } from "./refuse-misspelt.ts";
import { type Flags, toArgs, toggle } from "./settings/flag.ts";
import { readFlags, type Values } from "./settings/read-flags.ts";
import { SETTINGS } from "./settings/settings.ts";

/** A command or a group of commands, with examples. */
export interface Command extends CommandDef {
	readonly meta: {
		readonly name: string;
		readonly description: string;
		readonly version?: string;
	};
	/** The flags and words by the names under which they are written. */
	readonly args?: Flags;
	readonly subCommands?: Readonly<Record<string, Command | LoadCommand>>;
	readonly examples: readonly string[];
	/** Throws a `UsageError` for a misspelt flag. It runs before the check for missing flags. */
	readonly check?: (rawArgs: readonly string[]) => void;
}
export type LoadCommand = () => Promise<Command>;

interface Definition<Own extends Flags> {
	readonly name: string;
	readonly description: string;
	/** Whole command lines, such as `partnerwire key list`; its help shows them. */
	readonly examples: readonly [string, ...string[]];
	/** Its flags, without those of every command. Their values are in camelCase. */
	readonly flags: Own;
	run(context: CommandContext<Own>): Promise<void>;
}

interface CommandContext<Own extends Flags> {
	/** The values of the command's flags, and all other settings. */
	readonly flags: Values<Own>;
	readonly output: Output;
	/** The flags that were given, by the names under which they are written. */
	readonly given: Readonly<Record<string, unknown>>;
	readonly rawArgs: readonly string[];
}

/** Flags of every command. `output.ts` handles the one for colours. */
const COMMON = {
	json: SETTINGS.json,
	color: toggle(
		"Colours on a terminal (the default)",
		"No colours; NO_COLOR does the same",
	),
};

/** Defines a command that refuses unknown flags and words. citty would ignore a misspelt one. */
export function defineCommand<Own extends Flags>({
	name,
	description,
	examples,
	flags: own,
	run,
}: Definition<Own>): Command {
	const args = toArgs({ ...own, ...COMMON });
	return {
		meta: { name, description },
		args,
		examples,
		check: (rawArgs) => refuseUnknownFlags(rawArgs, args),
		run({ args: given, rawArgs }) {
			refuseWords(given, args);
			const flags = readFlags(own, given);
			return run({ flags, output: createOutput(flags.json), given, rawArgs });
		},
	};
}

/** Defines a group of commands, such as `key create` and `key list`. */
export function defineGroup(
	name: string,
	description: string,
	subCommands: Readonly<Record<string, Command>>,
): Command {
	const examples = Object.values(subCommands).map(
		(command) => command.examples[0] as string,
	);
	return { meta: { name, description }, subCommands, examples };
}
