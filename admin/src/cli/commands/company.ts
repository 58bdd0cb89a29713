import { MODULE_IDS } from "@partnerwire/contract";
import { defineGroup, defineStrictCommand } from "../define-command.ts";
import { findCompany, withService } from "../local.ts";
import { createOutput } from "../output/output.ts";
import { companyFlag, databaseFlags, jsonFlag } from "../settings/flags.ts";
import { readWord } from "../settings/read-list.ts";
import { readSettings } from "../settings/settings.ts";
import { unknownWord } from "../suggest.ts";

const create = defineStrictCommand({
	name: "create",
	description: "Create a company",
	examples: [
		'partnerwire company create "My company"',
		'partnerwire company create "My company" --domain my.example --country GB --database my.db',
	],
	args: {
		name: {
			type: "positional",
			description: "The company's name",
			required: true,
		},
		domain: {
			type: "string",
			description: "The company's domain",
			valueHint: "domain",
		},
		country: {
			type: "string",
			description:
				"Its country, such as GB: national phone numbers are read by it",
		},
		...databaseFlags,
		...jsonFlag,
	},
	async run({ args }) {
		const settings = readSettings(args);
		const { addCompany } = await import("@partnerwire/core");
		await withService(
			settings,
			async ({ store, core }) => {
				const uuid = await store.write((db) =>
					addCompany(db, args, core.clock()),
				);
				createOutput(settings.json).say({ uuid, name: args.name }, uuid);
			},
			{ mayCreate: true },
		);
	},
});

const module = defineStrictCommand({
	name: "module",
	description: "Switch a company's module on or off",
	examples: [
		"partnerwire company module api_mcp on",
		"partnerwire company module co_selling off --company $COMPANY",
	],
	args: {
		id: {
			type: "positional",
			description: MODULE_IDS.join(" or "),
			required: true,
		},
		state: { type: "positional", description: "on or off", required: true },
		...companyFlag,
		...databaseFlags,
		...jsonFlag,
	},
	async run({ args }) {
		const settings = readSettings(args);
		const id = MODULE_IDS.find((known) => known === args.id);
		if (!id) throw unknownWord("there is no module", args.id, MODULE_IDS);
		const enabled = readWord(args.state, "the state", ["on", "off"]) === "on";
		const { setModule } = await import("@partnerwire/core");
		await withService(settings, async ({ store }) => {
			const uuid = await findCompany(store.read, args.company);
			// In the company's scope, so that no write of the company sees the module change halfway.
			await store.write((db) => setModule(db, uuid, id, enabled), uuid);
			createOutput(settings.json).say(
				{ id, enabled },
				`${id} is ${args.state}`,
			);
		});
	},
});

/** `partnerwire company …`: works on the database itself, because a company comes before any API key. */
export const company = defineGroup(
	"company",
	"Create companies and switch their modules",
	{
		create,
		module,
	},
);
