/* `partnerwire key …`: works on the database itself, because the first key comes before any call. */
import { defineCommand, defineGroup } from "../define-command.ts";
import { companyFlag, withCaller } from "../local.ts";
import { printable } from "../output/output.ts";
import { printPages } from "../output/print-pages.ts";
import { option, required, toggle, word } from "../settings/flag.ts";
import { id, text } from "../settings/readers.ts";
import { databaseSettings } from "../settings/settings.ts";

const shared = { ...companyFlag, ...databaseSettings };

const create = defineCommand({
	name: "create",
	description: "Create an API key; its value is shown once",
	examples: [
		"partnerwire key create --label CRM --read --write",
		"partnerwire key create --label Reports --read --user $USER_UUID",
	],
	flags: {
		label: required("", "What the key is for", text),
		read: toggle("The key may call GET"),
		write: toggle("The key may call POST, PUT, PATCH and DELETE"),
		user: option("uuid", "The user that the key acts for", id),
		...shared,
	},
	async run({ flags, output }) {
		const { label, read, write, user: user_uuid } = flags;
		await withCaller(flags, async ({ core }, caller) => {
			const body = { label, read, write, user_uuid };
			const created = await core.execute("createApiKey", { body }, caller);
			output.say(created, created.key);
		});
	},
});

const list = defineCommand({
	name: "list",
	description: "List the API keys, without their values",
	examples: ["partnerwire key list", "partnerwire key list --json"],
	flags: shared,
	run: ({ flags, output }) =>
		withCaller(flags, ({ core }, caller) =>
			printPages((query) => core.execute("listApiKeys", { query }, caller), {
				output,
				toLine: ({ uuid, hint, read, write, label }) => {
					const may = [read && "read", write && "write"]
						.filter(Boolean)
						.join(" ");
					return `${uuid}  ${hint}  ${may.padEnd(10)}  ${printable(label)}`;
				},
				empty: "no keys",
			}),
		),
});

const revoke = defineCommand({
	name: "revoke",
	description: "Revoke an API key at once",
	examples: ["partnerwire key revoke $KEY_UUID"],
	flags: {
		uuid: word("The key's uuid", (given) => id(given, "the id")),
		...shared,
	},
	async run({ flags, output }) {
		const { uuid } = flags;
		await withCaller(flags, async ({ core }, caller) => {
			await core.execute("revokeApiKey", { params: { uuid } }, caller);
			output.say({ uuid, revoked: true }, `${uuid} is revoked`);
		});
	},
});

export const key = defineGroup("key", "Create, list and revoke API keys", {
	create,
	list,
	revoke,
});
