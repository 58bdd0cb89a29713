import type { Command } from "../../admin/src/cli/define-command.ts";

/** A command's flags and the commands below it, from its definition: to ask each for its help takes a minute. */
export async function findCommand(words: readonly string[]): Promise<Command> {
	const [name = ""] = words;
	const file = `../../admin/src/cli/commands/${name}.ts`;
	const command = (await import(/* @vite-ignore */ file))[name] as Command;
	const below = (command.subCommands ?? {}) as Record<string, Command>;
	return below[words[1] ?? ""] ?? command;
}
