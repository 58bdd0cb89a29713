import { type CommandDef, runCommand } from "citty";
import { stripAnsi } from "consola/utils";
import { version } from "../service/version.ts";
import { commands, subCommandsOf } from "./commands.ts";
import type { Command } from "./define-command.ts";
import { describeFault } from "./faults.ts";
import { printable } from "./output.ts";
import { renderHelp } from "./show-help.ts";
import { unknownWord } from "./suggest.ts";
import { UsageError } from "./usage-error.ts";

const main: Command = {
	meta: {
		name: "partnerwire",
		version,
		description:
			"A partner-relationship-management API with webhooks that arrive",
	},
	subCommands: commands as Record<string, () => Promise<CommandDef>>,
	examples: [
		"partnerwire demo --once",
		"partnerwire serve --demo --dev",
		"partnerwire listen --secret $SECRET",
		"partnerwire deliveries list --status failed",
	],
};

/** Errors whose message is one sentence for the user; anything else is ours. */
const KNOWN = new Set([
	"ApiError",
	"StorageError",
	"SecretKeyError",
	"ReceiverConfigError",
	"CommandError",
	"EmulatorError",
]);

/** Runs the command line and answers the exit code: 0 done, 1 failed, 2 used wrongly. */
async function runMain(rawArgs: string[]): Promise<number> {
	const { command, words, rest } = await findCommand(rawArgs);
	const isAsked = rest.some((arg) => arg === "--help" || arg === "-h");
	if (rest[0] === "--version" && words.length === 0) {
		process.stdout.write(`${version}\n`);
		return 0;
	}
	const isGroup = command.subCommands !== undefined;
	if (isAsked || (isGroup && rest.length === 0)) {
		process.stdout.write(`${await renderHelp(command, words)}\n`);
		return isAsked ? 0 : 2;
	}
	try {
		if (isGroup) throw noSuchCommand(command, rest[0] as string);
		command.check?.(rest);
		await runCommand(command, { rawArgs: rest });
		return 0;
	} catch (error) {
		if (error instanceof UsageError || (error as Error).name === "CLIError") {
			const name = ["partnerwire", ...words].join(" ");
			return complain(
				`${stripAnsi((error as Error).message)}
See ${name} --help`,
				2,
			);
		}
		const isKnown = KNOWN.has((error as Error).name);
		return complain(
			// A known message may quote what a server or a file said.
			isKnown ? printable((error as Error).message) : describeFault(error),
			1,
		);
	}
}

/** The command that the leading words name, those words, and what is left for it. */
async function findCommand(rawArgs: string[]): Promise<{
	command: Command;
	words: string[];
	rest: string[];
}> {
	let command = main;
	const words: string[] = [];
	for (const word of rawArgs) {
		const known =
			command === main ? commands : (subCommandsOf(command) as object);
		if (!Object.hasOwn(known, word)) break;
		command =
			command === main
				? await (commands[word] as () => Promise<Command>)()
				: (subCommandsOf(command)[word] as Command);
		words.push(word);
	}
	return { command, words, rest: rawArgs.slice(words.length) };
}

function noSuchCommand(group: Command, word: string): UsageError {
	const known = Object.keys(group.subCommands as object);
	return word.startsWith("-")
		? new UsageError(`give a command before ${printable(word)}`)
		: unknownWord("Unknown command", word, known);
}

function complain(message: string, code: number): number {
	process.stderr.write(`partnerwire: ${message}\n`);
	return code;
}

process.exitCode = await runMain(process.argv.slice(2));
