import { type CommandDef, defineCommand, renderUsage, runCommand } from "citty";
import { stripAnsi } from "consola/utils";
import { version } from "../service/version.ts";
import { describeFault } from "./faults.ts";
import { UsageError } from "./usage-error.ts";

type Load = () => Promise<CommandDef>;

/*
 * Each command is loaded when it is named, and what it opens when it runs: its help comes without the database, which takes
 * half a second to load.
 */
const subCommands: Record<string, Load> = {
	serve: async () => (await import("./commands/serve.ts")).serve,
	worker: async () => (await import("./commands/worker.ts")).worker,
	demo: async () => (await import("./commands/demo.ts")).demo,
	listen: async () => (await import("./commands/listen.ts")).listen,
	trigger: async () => (await import("./commands/trigger.ts")).trigger,
	torture: async () => (await import("./commands/torture.ts")).torture,
	token: async () => (await import("./commands/token.ts")).token,
	company: async () => (await import("./commands/company.ts")).company,
	user: async () => (await import("./commands/user.ts")).user,
	key: async () => (await import("./commands/key.ts")).key,
	integration: async () =>
		(await import("./commands/integration.ts")).integration,
	deliveries: async () => (await import("./commands/deliveries.ts")).deliveries,
	inbox: async () => (await import("./commands/inbox.ts")).inbox,
	backup: async () => (await import("./commands/backup.ts")).backup,
	ledger: async () => (await import("./commands/ledger.ts")).ledger,
};

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
	const { command, words } = await findCommand(rawArgs);
	if (
		rawArgs.length === 0 ||
		rawArgs.some((arg) => arg === "--help" || arg === "-h")
	) {
		const parent = ["partnerwire", ...words.slice(0, -1)].join(" ");
		const usage = await renderUsage(
			command,
			words.length > 0 ? { meta: { name: parent } } : undefined,
		);
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
		const isKnown = KNOWN.has((error as Error).name);
		return complain(
			isKnown ? (error as Error).message : describeFault(error),
			1,
		);
	}
}

/** The command that the leading words name, and those words. */
async function findCommand(rawArgs: readonly string[]): Promise<{
	command: CommandDef;
	words: string[];
}> {
	let command: CommandDef = main;
	const words: string[] = [];
	for (const word of rawArgs) {
		const known = (command.subCommands ?? {}) as Record<
			string,
			CommandDef | Load
		>;
		const next = known[word];
		if (!next || !Object.hasOwn(known, word)) break;
		words.push(word);
		command = typeof next === "function" ? await next() : next;
	}
	return { command, words };
}

function complain(message: string, code: number): number {
	process.stderr.write(`partnerwire: ${message}\n`);
	return code;
}

process.exitCode = await runMain(process.argv.slice(2));
