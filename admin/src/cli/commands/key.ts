import { defineGroup, defineStrictCommand } from "../define-command.ts";
import { findCompany, toLocalCaller, withService } from "../local.ts";
import { createOutput, printable } from "../output/output.ts";
import { companyFlag, databaseFlags, jsonFlag } from "../settings/flags.ts";
import { readId } from "../settings/read-id.ts";
import { readSettings } from "../settings/settings.ts";

const shared = { ...companyFlag, ...databaseFlags, ...jsonFlag } as const;

const create = defineStrictCommand({
	name: "create",
	description: "Create an API key; its value is shown once",
	examples: [
		"partnerwire key create --label CRM --read --write",
		"partnerwire key create --label Reports --read --user $USER_UUID",
	],
	args: {
		label: {
			type: "string",
			description: "What the key is for",
			required: true,
		},
		read: { type: "boolean", description: "The key may call GET" },
		write: {
			type: "boolean",
			description: "The key may call POST, PUT, PATCH and DELETE",
		},
		user: {
			type: "string",
			description: "The user that the key acts for",
			valueHint: "uuid",
		},
		...shared,
	},
	async run({ args }) {
		const settings = readSettings(args);
		const user_uuid =
			args.user === undefined ? undefined : readId(args.user, "--user");
		await withService(settings, async ({ store, core }) => {
			const caller = await toLocalCaller(
				store.read,
				await findCompany(store.read, args.company),
			);
			const { label, read, write } = args;
			const body = {
				label,
				read: read ?? false,
				write: write ?? false,
				user_uuid,
			};
			const created = await core.execute("createApiKey", { body }, caller);
			createOutput(settings.json).say(created, created.key);
		});
	},
});

const list = defineStrictCommand({
	name: "list",
	description: "List the API keys, without their values",
	examples: ["partnerwire key list", "partnerwire key list --json"],
	args: shared,
	async run({ args }) {
		const settings = readSettings(args);
		await withService(settings, async ({ store, core }) => {
			const caller = await toLocalCaller(
				store.read,
				await findCompany(store.read, args.company),
			);
			const output = createOutput(settings.json);
			for (let page = 1, pages = 1; page <= pages; page++) {
				const listed = await core.execute(
					"listApiKeys",
					{ query: { page, per_page: 100 } },
					caller,
				);
				pages = listed.pagination.total_pages;
				for (const key of listed.data) {
					const may = [key.read && "read", key.write && "write"]
						.filter(Boolean)
						.join(" ");
					output.say(
						key,
						`${key.uuid}  ${key.hint}  ${may.padEnd(10)}  ${printable(key.label)}`,
					);
				}
				if (listed.pagination.total === 0) output.tell("no keys");
			}
		});
	},
});

const revoke = defineStrictCommand({
	name: "revoke",
	description: "Revoke an API key at once",
	examples: ["partnerwire key revoke $KEY_UUID"],
	args: {
		uuid: { type: "positional", description: "The key's uuid", required: true },
		...shared,
	},
	async run({ args }) {
		const settings = readSettings(args);
		const uuid = readId(args.uuid);
		await withService(settings, async ({ store, core }) => {
			const caller = await toLocalCaller(
				store.read,
				await findCompany(store.read, args.company),
			);
			await core.execute("revokeApiKey", { params: { uuid } }, caller);
			createOutput(settings.json).say(
				{ uuid, revoked: true },
				`${uuid} is revoked`,
			);
		});
	},
});

/** `partnerwire key …`: works on the database itself, because the first key comes before any call. */
export const key = defineGroup("key", "Create, list and revoke API keys", {
	create,
	list,
	revoke,
});
