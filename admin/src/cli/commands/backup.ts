import { existsSync } from "node:fs";
import { defineStrictCommand } from "../define-command.ts";
import { createOutput } from "../output/output.ts";
import { databaseFlags, jsonFlag } from "../settings/flags.ts";
import { readSettings } from "../settings/settings.ts";
import { CommandError } from "../usage-error.ts";

/** Progress is shown at most this often. */
const EVERY_MS = 1000;

/** `partnerwire backup`: copies a SQLite database that is in use. */
export const backup = defineStrictCommand({
	name: "backup",
	description: "Copy the SQLite database while it is in use",
	examples: [
		"partnerwire backup /backups/partnerwire.db",
		"partnerwire backup /backups/my.db --database my.db --json",
	],
	args: {
		file: {
			type: "positional",
			description: "Where to write the copy; a file that exists is refused",
			required: true,
		},
		...databaseFlags,
		...jsonFlag,
	},
	async run({ args }) {
		const { database, json } = readSettings(args);
		const output = createOutput(json);
		const { backupSqlite, isPostgresUrl } = await import("@partnerwire/core");
		if (isPostgresUrl(database))
			throw new CommandError(
				"a PostgreSQL database is backed up with pg_dump --format=custom, and restored with pg_restore",
			);
		if (!existsSync(database))
			throw new CommandError(`there is no database ${database}`);
		let toldAt = Date.now();
		await backupSqlite(database, args.file, (done, total) => {
			if (Date.now() - toldAt < EVERY_MS) return;
			toldAt = Date.now();
			output.tell(`${done} of ${total} pages`);
		});
		output.say(
			{ event: "backed_up", file: args.file },
			`Wrote ${args.file}. The key is not in it: keep ${database}.key, or PARTNERWIRE_SECRET_KEY, apart from the backup and as safe as it; without it the secrets in the backup cannot be read.`,
		);
	},
});
