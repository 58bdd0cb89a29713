import { defineGroup, defineStrictCommand } from "../define-command.ts";
import { findCompany, withService } from "../local.ts";
import { createOutput } from "../output/output.ts";
import { companyFlag, databaseFlags, jsonFlag } from "../settings/flags.ts";
import { readSettings } from "../settings/settings.ts";

const create = defineStrictCommand({
	name: "create",
	description: "Add a user to a company",
	examples: [
		"partnerwire user create --email ada@my.example --first-name Ada --last-name Lovelace",
	],
	args: {
		email: {
			type: "string",
			description: "The user's e-mail address",
			required: true,
		},
		"first-name": { type: "string", description: "First name", required: true },
		"last-name": { type: "string", description: "Last name", required: true },
		...companyFlag,
		...databaseFlags,
		...jsonFlag,
	},
	async run({ args }) {
		const settings = readSettings(args);
		const { addUser } = await import("@partnerwire/core");
		await withService(settings, async ({ store, core }) => {
			const uuid = await store.write(async (db) => {
				const companyUuid = await findCompany(db, args.company);
				const { email, "first-name": firstName, "last-name": lastName } = args;
				return addUser(
					db,
					{ companyUuid, email, firstName, lastName },
					core.clock(),
				);
			});
			createOutput(settings.json).say({ uuid, email: args.email }, uuid);
		});
	},
});

/** `partnerwire user …`: works on the database itself. */
export const user = defineGroup("user", "Add users", {
	create,
});
