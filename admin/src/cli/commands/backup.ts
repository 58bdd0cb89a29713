/* `partnerwire backup`: copies a SQLite database that is in use. */
import { existsSync } from "node:fs";
import { defineCommand } from "../define-command.ts";
import { word } from "../settings/flag.ts";
import { text } from "../settings/readers.ts";
import { databaseSettings } from "../settings/settings.ts";
import { CommandError } from "../usage-error.ts";

/** Progress is shown at most this often. */
const EVERY_MS = 1000;

export const backup = defineCommand({
	name: "backup",
	description: "Copy the SQLite database while it is in use",
	examples: [
		"partnerwire backup /backups/partnerwire.db",
		"partnerwire backup /backups/my.db --database my.db --json",
	],
	flags: {
		file: word("Where to write the copy; a file that exists is refused", text),
		...databaseSettings,
	},
	async run({ flags: { database, file }, output }) {
		const { backupSqlite, isPostgresUrl } = await import("@partnerwire/core");
		if (isPostgresUrl(database))
			throw new CommandError(
				"a PostgreSQL database is backed up with pg_dump --format=custom, and restored with pg_restore",
			);
		if (!existsSync(database))
			throw new CommandError(`there is no database ${database}`);
		let toldAt = Date.now();
		await backupSqlite(database, file, (done, total) => {
			if (Date.now() - toldAt < EVERY_MS) return;
			toldAt = Date.now();
			output.tell(`${done} of ${total} pages`);
		});
		output.say(
			{ event: "backed_up", file },
			`Wrote ${file}. The key is not in it: keep ${database}.key, or PARTNERWIRE_SECRET_KEY, apart from the backup and as safe as it; without it the secrets in the backup cannot be read.`,
		);
	},
});
