/*
 * Each command is loaded when it is named, and the service only when it runs. Help must not wait for the database code,
 * which takes half a second to load.
 */
import type { Command, LoadCommand } from "./define-command.ts";

export const commands: Readonly<Record<string, LoadCommand>> = {
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
	copy: async () => (await import("./commands/copy.ts")).copy,
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

/** Every command and group, each after its group. */
export async function loadCommands(
	below: Command["subCommands"] = commands,
	path: readonly string[] = [],
): Promise<Found[]> {
	const found: Found[] = [];
	for (const [name, entry] of Object.entries(below)) {
		const command = await loadCommand(entry);
		const words = [...path, name];
		found.push({ command, words });
		found.push(...(await loadCommands(command.subCommands ?? {}, words)));
	}
	return found;
}

export const loadCommand = async (
	entry: Command | LoadCommand,
): Promise<Command> => (typeof entry === "function" ? entry() : entry);
