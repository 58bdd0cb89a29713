import type { Command } from "../../../admin/src/cli/define-command.ts";

/** Finds a command's flags and subcommands in its definition. Running `--help` for each would take a minute. */
export async function findCommand(words: readonly string[]): Promise<Command> {
	const [name = ""] = words;
	const file = `../../../admin/src/cli/commands/${name}.ts`;
	const command = (await import(/* @vite-ignore */ file))[name] as Command;
	const below = (command.subCommands ?? {}) as Record<string, Command>;
	return below[words[1] ?? ""] ?? command;
}
