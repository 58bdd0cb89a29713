/* `partnerwire secrets …`: the encryption key of stored secrets (docs/decisions.md#changing-it). */
import { defineCommand, defineGroup } from "../define-command.ts";
import { toggle } from "../settings/flag.ts";
import { databaseSettings } from "../settings/settings.ts";
import { UsageError } from "../usage-error.ts";

const rekey = defineCommand({
	name: "rekey",
	description:
		"Encrypt every stored secret under a new key: a new key file, or PARTNERWIRE_NEXT_SECRET_KEY where PARTNERWIRE_SECRET_KEY gives the key. Stop every serve and worker first, and back up",
	examples: [
		"partnerwire secrets rekey --yes",
		"partnerwire secrets rekey --database my.db --yes --json",
	],
	flags: {
		yes: toggle("Every process on this database is stopped"),
		...databaseSettings,
	},
	async run({ flags, output }) {
		const { yes, secretKey, nextSecretKey } = flags;
		if (!yes)
			throw new UsageError(
				"a process that still runs would go on with the old key: stop every serve and worker, then give --yes",
			);
		if ((secretKey === undefined) !== (nextSecretKey === undefined))
			throw new UsageError(
				"PARTNERWIRE_SECRET_KEY and PARTNERWIRE_NEXT_SECRET_KEY need each other: the key is rekeyed where it is",
			);
		const { rekeyDatabase } = await import("../rekey-database.ts");
		const { values, key_id } = await rekeyDatabase(flags);
		const where =
			nextSecretKey === undefined
				? "its key file is the new one; the old one is kept beside it under its id, for older backups"
				: "give it as PARTNERWIRE_SECRET_KEY from now on";
		output.say(
			{ values, key_id },
			`${values} values are encrypted under the key ${key_id}: ${where}`,
		);
	},
});

export const secrets = defineGroup(
	"secrets",
	"Change the key that stored secrets are encrypted under",
	{ rekey },
);
