import type { Command } from "./define-command.ts";

/*
 * Each command is loaded when it is named, and the service only when it runs. Help must not wait for the database code,
 * which takes half a second to load.
 */
export const commands: Readonly<Record<string, () => Promise<Command>>> = {
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
	secrets: async () => (await import("./commands/secrets.ts")).secrets,
	completion: async () => (await import("./commands/completion.ts")).completion,
};

/** A command by the words that name it. */
export interface Found {
	readonly command: Command;
	/** Such as `["key", "create"]`. */
	readonly words: readonly string[];
}

/** The subcommands of a group. A command has none. */
export const subCommandsOf = (command: Command): Record<string, Command> =>
	(command.subCommands ?? {}) as Record<string, Command>;

/** Every command and group, each after its group. */
export async function loadCommands(): Promise<Found[]> {
	const found: Found[] = [];
	const add = (command: Command, words: readonly string[]) => {
		found.push({ command, words });
		for (const [name, sub] of Object.entries(subCommandsOf(command)))
			add(sub, [...words, name]);
	};
	for (const [name, load] of Object.entries(commands))
		add(await load(), [name]);
	return found;
}
