/* `partnerwire copy`: copies a database into another one, on the other engine too (docs/copy.md). */
import { defineCommand } from "../define-command.ts";
import { createProgress } from "../output/progress.ts";
import { SETTINGS } from "../settings/settings.ts";
import { UsageError } from "../usage-error.ts";

export const copy = defineCommand({
	name: "copy",
	description:
		"Copy a whole database into a new one: from SQLite to PostgreSQL, back, or within one engine. Stop every serve and worker first",
	examples: [
		"partnerwire copy --from partnerwire.db --to postgres://partnerwire@db/partnerwire",
		"partnerwire copy --from partnerwire.db --to new.db --json",
	],
	flags: {
		from: SETTINGS.from,
		to: SETTINGS.to,
		secretKey: SETTINGS.secretKey,
		nextSecretKey: SETTINGS.nextSecretKey,
	},
	async run({ flags: { from, to, secretKey, nextSecretKey }, output }) {
		if (from === undefined || to === undefined)
			throw new UsageError(
				"two databases are needed: give --from and --to, or set PARTNERWIRE_FROM and PARTNERWIRE_TO",
			);
		if (from === to)
			throw new UsageError("--from and --to are the same database");
		const { copyDatabase } = await import("@partnerwire/core");
		const { getCopyKeys } = await import("../get-copy-keys.ts");
		const { where, ...keys } = getCopyKeys({
			from,
			to,
			secretKey,
			nextSecretKey,
		});
		const { keyId } = keys.toCipher;
		const progress = createProgress();
		const copied = await copyDatabase({
			from,
			to,
			...keys,
			onProgress: (table, done, total) =>
				progress.show(`${table}: ${done} of ${total} rows`),
			onVerified: (table, content) =>
				output.say({ event: "verified", table, ...content }),
		});
		progress.end();
		output.say(
			{ event: "copied", ...copied, key_id: keyId },
			`Copied ${copied.rows} rows of ${copied.tables} tables, and read them back: they are the same. Secrets are encrypted under the key ${keyId}: ${where}. Start serve and worker on the new database only.`,
		);
	},
});
