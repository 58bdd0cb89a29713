import { MODULE_IDS } from "@partnerwire/contract";
import { EVENT_IDS } from "@partnerwire/wire";
import type { ArgDef, ArgsDef } from "citty";
import { loadCommands, subCommandsOf } from "../commands.ts";
import type { Command } from "../define-command.ts";
import { listFlags } from "../refuse-misspelt.ts";

/** A word that can be completed, with its description. */
export interface Word {
	readonly word: string;
	readonly description: string;
}

/** The completions after some words of a command line, such as `key create`; without words, those of the program itself. */
export interface Spot {
	readonly words: string;
	readonly commands: readonly Word[];
	readonly flags: readonly Word[];
	/** By flag, the words that it takes, or `file` for a path. A flag that is missing here takes anything. */
	readonly values: Readonly<Record<string, readonly string[] | "file">>;
	/** The words that a positional argument may be. */
	readonly arguments: readonly string[];
}

/** Lists everything that can be completed, from the definitions of the commands. */
export async function listSpots(): Promise<Spot[]> {
	const found = await loadCommands();
	const top = found.filter(({ words }) => words.length === 1);
	return [
		{
			words: "",
			commands: top.map(({ command, words }) =>
				toWord(words[0] as string, command),
			),
			flags: [
				{ word: "--help", description: "Help" },
				{ word: "--version", description: "The version" },
			],
			values: {},
			arguments: [],
		},
		...found.map(({ command, words }) => toSpot(command, words.join(" "))),
	];
}

function toSpot(command: Command, words: string): Spot {
	const args = (command.args ?? {}) as ArgsDef;
	const described = (flag: string): string => {
		const def = args[flag.replace(/^--(no-)?/, "")];
		const isNegative = flag.startsWith("--no-");
		return (
			(isNegative && def && "negativeDescription" in def
				? def.negativeDescription
				: def?.description) ?? ""
		);
	};
	const entries = Object.entries(args);
	return {
		words,
		commands: Object.entries(subCommandsOf(command)).map(([name, sub]) =>
			toWord(name, sub),
		),
		flags: [
			...listFlags(args).map((word) => ({
				word,
				description: described(word),
			})),
			{ word: "--help", description: "Help" },
		],
		values: Object.fromEntries(
			entries
				.filter(([, { type }]) => type === "string")
				.map(([name, def]) => [`--${name}`, valuesOf(name, def)] as const)
				.filter(([, values]) => values === "file" || values.length > 0),
		),
		arguments: entries
			.filter(([, { type }]) => type === "positional")
			.flatMap(([name, def]) => toArguments(name, def)),
	};
}

const toWord = (word: string, { meta }: Command): Word => ({
	word,
	description: (meta as { description?: string }).description ?? "",
});

function valuesOf(
	name: string,
	{ valueHint }: ArgDef,
): readonly string[] | "file" {
	if (valueHint?.startsWith("path")) return "file";
	return /^events?$/.test(name) ? EVENT_IDS : [];
}

function toArguments(
	name: string,
	{ description = "" }: ArgDef,
): readonly string[] {
	if (name === "event") return EVENT_IDS;
	if (description === MODULE_IDS.join(" or ")) return MODULE_IDS;
	// The description is the list of the words itself.
	return /^\w+((,| or) \w+)+$/.test(description)
		? description.split(/, | or /)
		: [];
}
