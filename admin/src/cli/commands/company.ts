/* `partnerwire company …`: works on the database itself, because a company comes before any API key. */
import { MODULE_IDS } from "@partnerwire/contract";
import { defineCommand, defineGroup } from "../define-command.ts";
import { companyFlag, findCompany, withService } from "../local.ts";
import { option, type Reader, word } from "../settings/flag.ts";
import { oneOf, text } from "../settings/readers.ts";
import { databaseSettings } from "../settings/settings.ts";
import { unknownWord } from "../suggest.ts";

const create = defineCommand({
	name: "create",
	description: "Create a company",
	examples: [
		'partnerwire company create "My company"',
		'partnerwire company create "My company" --domain my.example --country GB --database my.db',
	],
	flags: {
		name: word("The company's name", text),
		domain: option("domain", "The company's domain", text),
		country: option(
			"",
			"Its country, such as GB: national phone numbers are read by it",
			text,
		),
		...databaseSettings,
	},
	async run({ flags, output }) {
		const { addCompany } = await import("@partnerwire/core");
		await withService(
			flags,
			async ({ store, core }) => {
				const uuid = await store.write((db) =>
					addCompany(db, flags, core.clock()),
				);
				output.say({ uuid, name: flags.name }, uuid);
			},
			{ mayCreate: true },
		);
	},
});

const moduleId: Reader<(typeof MODULE_IDS)[number]> = (given) => {
	const found = MODULE_IDS.find((known) => known === given);
	if (found !== undefined) return found;
	throw unknownWord("there is no module", given, MODULE_IDS);
};
const STATES = ["on", "off"] as const;

const module = defineCommand({
	name: "module",
	description: "Switch a company's module on or off",
	examples: [
		"partnerwire company module api_mcp on",
		"partnerwire company module co_selling off --company $COMPANY",
	],
	flags: {
		id: word(MODULE_IDS.join(" or "), moduleId, MODULE_IDS),
		state: word(STATES.join(" or "), oneOf(STATES), STATES),
		...companyFlag,
		...databaseSettings,
	},
	async run({ flags, output }) {
		const { id, state } = flags;
		const enabled = state === "on";
		const { setModule } = await import("@partnerwire/core");
		await withService(flags, async ({ store }) => {
			const uuid = await findCompany(store.read, flags.company);
			// In the company's scope, so that no write of the company sees the module change halfway.
			await store.write((db) => setModule(db, uuid, id, enabled), uuid);
			output.say({ id, enabled }, `${id} is ${state}`);
		});
	},
});

export const company = defineGroup(
	"company",
	"Create companies and switch their modules",
	{ create, module },
);
