import { ApiError } from "@partnerwire/contract";
import { SecretKeyError, StorageError } from "@partnerwire/core";
import { ReceiverConfigError } from "@partnerwire/receiver";
import { type CommandDef, defineCommand, renderUsage, runCommand } from "citty";
import { stripAnsi } from "consola/utils";
import { company } from "./commands/company.ts";
import { demo } from "./commands/demo.ts";
import { integration } from "./commands/integration.ts";
import { key } from "./commands/key.ts";
import { listen } from "./commands/listen.ts";
import { serve } from "./commands/serve.ts";
import { token } from "./commands/token.ts";
import { trigger } from "./commands/trigger.ts";
import { user } from "./commands/user.ts";
import { worker } from "./commands/worker.ts";
import { describeFault } from "./faults.ts";
import { CommandError, UsageError } from "./usage-error.ts";
import { version } from "./version.ts";

const subCommands = {
	serve,
	worker,
	demo,
	listen,
	trigger,
	token,
	company,
	user,
	key,
	integration,
} as unknown as Record<string, CommandDef>;

const main = defineCommand({
	meta: {
		name: "partnerwire",
		version,
		description:
			"A partner-relationship-management API with webhooks that arrive",
	},
	subCommands,
});

/** Errors whose message is one sentence for the user; anything else is ours. */
const KNOWN = [
	ApiError,
	StorageError,
	SecretKeyError,
	ReceiverConfigError,
	CommandError,
];

/** Runs the command line and answers the exit code: 0 done, 1 failed, 2 used wrongly. */
async function runMain(rawArgs: string[]): Promise<number> {
	const { command, parent, words } = findCommand(rawArgs);
	if (
		rawArgs.length === 0 ||
		rawArgs.some((arg) => arg === "--help" || arg === "-h")
	) {
		const usage = await renderUsage(command, parent);
		process.stdout.write(
			`${process.stdout.isTTY ? usage : stripAnsi(usage)}\n`,
		);
		return rawArgs.length === 0 ? 2 : 0;
	}
	if (rawArgs[0] === "--version") {
		process.stdout.write(`${version}\n`);
		return 0;
	}
	try {
		await runCommand(main, { rawArgs });
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
		const isKnown = KNOWN.some((kind) => error instanceof kind);
		return complain(
			isKnown ? (error as Error).message : describeFault(error),
			1,
		);
	}
}

/** The command that the leading words name, its parent for the usage line, and those words. */
function findCommand(rawArgs: readonly string[]): {
	command: CommandDef;
	parent: CommandDef | undefined;
	words: string[];
} {
	let command: CommandDef = main;
	let parent: CommandDef | undefined;
	const words: string[] = [];
	for (const word of rawArgs) {
		const next = subCommandsOf(command)[word];
		if (!next) break;
		words.push(word);
		parent = command;
		command = next;
	}
	return { command, parent, words };
}

const subCommandsOf = (command: CommandDef) =>
	(command.subCommands ?? {}) as Record<string, CommandDef>;

function complain(message: string, code: number): number {
	process.stderr.write(`partnerwire: ${message}\n`);
	return code;
}

process.exitCode = await runMain(process.argv.slice(2));
