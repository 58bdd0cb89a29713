/* `partnerwire user …`: works on the database itself. */
import { defineCommand, defineGroup } from "../define-command.ts";
import { companyFlag, findCompany, withService } from "../local.ts";
import { required } from "../settings/flag.ts";
import { text } from "../settings/readers.ts";
import { databaseSettings } from "../settings/settings.ts";

const create = defineCommand({
	name: "create",
	description: "Add a user to a company",
	examples: [
		"partnerwire user create --email ada@my.example --first-name Ada --last-name Lovelace",
	],
	flags: {
		email: required("", "The user's e-mail address", text),
		firstName: required("", "First name", text),
		lastName: required("", "Last name", text),
		...companyFlag,
		...databaseSettings,
	},
	async run({ flags, output }) {
		const { email, firstName, lastName } = flags;
		const { addUser } = await import("@partnerwire/core");
		await withService(flags, async ({ store, core }) => {
			const uuid = await store.write(async (db) => {
				const companyUuid = await findCompany(db, flags.company);
				const user = { companyUuid, email, firstName, lastName };
				return addUser(db, user, core.clock());
			});
			output.say({ uuid, email }, uuid);
		});
	},
});

export const user = defineGroup("user", "Add users", { create });
