/* The program `partnerwire`: finds the command, runs it, and turns errors into one sentence and an exit code. */
import { type ArgsDef, runCommand } from "citty";
import { stripAnsi } from "consola/utils";
import { version } from "../assets/version.ts";
import { commands, loadCommand } from "./commands.ts";
import type { Command } from "./define-command.ts";
import { describeFault } from "./describe-fault.ts";
import { maskCredentials } from "./output/mask-credentials.ts";
import { printable, toJsonLine } from "./output/output.ts";
import { clearProgress } from "./output/progress-line.ts";
import { renderHelp } from "./output/show-help.ts";
import {
	endServing,
	findOutputFault,
	watchStandardStreams,
	writeError,
	writeOut,
} from "./output/standard-streams.ts";
import { readVariable } from "./settings/environment.ts";
import { unknownWord } from "./suggest.ts";
import { UsageError } from "./usage-error.ts";

const main: Command = {
	meta: {
		name: "partnerwire",
		version,
		description:
			"A partner-relationship-management API with webhooks that arrive",
	},
	subCommands: commands,
	examples: [
		"partnerwire demo --once",
		"partnerwire serve --demo --dev",
		"partnerwire listen",
		"partnerwire deliveries list --status failed",
	],
};

/** Errors whose message is one sentence for the user. All others are faults of the program. */
const KNOWN = new Set([
	"ApiError",
	"StorageError",
	"SecretKeyError",
	"ReceiverConfigError",
	"CommandError",
	"EmulatorError",
]);

/** Runs the command line and resolves to the exit code: 0 done, 1 failed, 2 wrong usage. */
async function runMain(rawArgs: string[]): Promise<number> {
	const { command, words, rest } = await findCommand(rawArgs);
	const isAsked = rest.some((arg) => arg === "--help" || arg === "-h");
	if (rest[0] === "--version" && words.length === 0) {
		writeOut(`${version}\n`);
		return 0;
	}
	const isGroup = command.subCommands !== undefined;
	if (isAsked || (isGroup && rest.length === 0)) {
		writeOut(`${await renderHelp(command, words)}\n`);
		return isAsked ? 0 : 2;
	}
	const isJson = wantsJson(rest);
	try {
		if (isGroup) throw noSuchCommand(command, rest[0] as string);
		command.check?.(rest);
		await runCommand<ArgsDef>(command, { rawArgs: rest });
		return 0;
	} catch (error) {
		if (error instanceof UsageError || (error as Error).name === "CLIError") {
			const name = ["partnerwire", ...words].join(" ");
			const message = stripAnsi((error as Error).message);
			complain({ code: "usage", message }, isJson, `See ${name} --help`);
			return 2;
		}
		complain(toFailure(error), isJson);
		return 1;
	}
}

/** Finds the command that the leading words name, with those words and the remaining arguments. */
async function findCommand(rawArgs: string[]): Promise<{
	command: Command;
	words: string[];
	rest: string[];
}> {
	let command = main;
	const words: string[] = [];
	for (const word of rawArgs) {
		const known = command.subCommands ?? {};
		const next = Object.hasOwn(known, word) ? known[word] : undefined;
		if (!next) break;
		command = await loadCommand(next);
		words.push(word);
	}
	return { command, words, rest: rawArgs.slice(words.length) };
}

function noSuchCommand(group: Command, word: string): UsageError {
	const known = Object.keys(group.subCommands ?? {});
	return word.startsWith("-")
		? new UsageError(`give a command before ${printable(word)}`)
		: unknownWord("Unknown command", word, known);
}

interface Failure {
	readonly code: string;
	readonly message: string;
}

function toFailure(error: unknown): Failure {
	const { name, message, code } = error as Error & { code?: unknown };
	if (!KNOWN.has(name)) return { code: "fault", message: describeFault(error) };
	return { code: typeof code === "string" ? code : "failed", message };
}

/** Whether to print the error as JSON. It looks at raw arguments, because parsing the flags may be what failed. */
function wantsJson(args: readonly string[]): boolean {
	const flag = args.filter((arg) => /^--(no-)?json(=|$)/.test(arg)).at(-1);
	if (flag !== undefined) return /^--json(=true)?$/.test(flag);
	return /^(true|1)$/.test(readVariable("PARTNERWIRE_JSON") ?? "");
}

/** Prints the error, for people with a pointer to help. It is escaped, because it may quote a server or a file. */
function complain(failure: Failure, isJson: boolean, help?: string): void {
	clearProgress();
	const message = maskCredentials(failure.message);
	const line = isJson
		? toJsonLine({ event: "error", ...failure, message })
		: `partnerwire: ${printable(message)}${help === undefined ? "" : `\n${help}`}`;
	writeError(`${line}\n`);
}

const rawArgs = process.argv.slice(2);
watchStandardStreams();
process.exitCode = await runMain(rawArgs);
endServing();
// Only now is it known whether the last line could be written.
process.once("beforeExit", () => {
	const fault = findOutputFault();
	if (fault === undefined) return;
	const message = `the output cannot be written (${fault})`;
	complain({ code: "failed", message }, wantsJson(rawArgs));
	process.exitCode ||= 1;
});
