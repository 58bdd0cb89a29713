import { MODULE_IDS, type ModuleId } from "@partnerwire/contract";
import { defineGroup, defineStrictCommand } from "../define-command.ts";
import { companyFlag, databaseFlags, jsonFlag } from "../flags.ts";
import { findCompany, withService } from "../local.ts";
import { createOutput } from "../output.ts";
import { readSettings } from "../settings.ts";
import { UsageError } from "../usage-error.ts";

const create = defineStrictCommand({
	name: "create",
	description: "Create a company",
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
		if (!(MODULE_IDS as string[]).includes(args.id)) {
			throw new UsageError(
				`there is no module ${args.id}; known: ${MODULE_IDS.join(", ")}`,
			);
		}
		if (args.state !== "on" && args.state !== "off")
			throw new UsageError("say on or off");
		const enabled = args.state === "on";
		const { setModule } = await import("@partnerwire/core");
		await withService(settings, async ({ store }) => {
			await store.write(async (db) => {
				await setModule(
					db,
					await findCompany(db, args.company),
					args.id as ModuleId,
					enabled,
				);
			});
			createOutput(settings.json).say(
				{ id: args.id, enabled },
				`${args.id} is ${args.state}`,
			);
		});
	},
});

export const company = defineGroup(
	"company",
	"Create companies and switch their modules",
	{
		create,
		module,
	},
);
