/* The words that the completion scripts offer, from the definitions of the commands. */
import { commands, loadCommand, loadCommands } from "../commands.ts";
import type { Command } from "../define-command.ts";
import { listFlags } from "../refuse-misspelt.ts";
import type { Flag, Flags } from "../settings/flag.ts";

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
	return [
		{
			words: "",
			commands: await toWords(commands),
			flags: [HELP, { word: "--version", description: "The version" }],
			values: {},
			arguments: [],
		},
		...(await Promise.all(
			found.map(({ command, words }) => toSpot(command, words.join(" "))),
		)),
	];
}

const HELP: Word = { word: "--help", description: "Help" };

async function toSpot(
	{ args = {}, subCommands = {} }: Command,
	words: string,
): Promise<Spot> {
	const rows = Object.entries(args);
	return {
		words,
		commands: await toWords(subCommands),
		flags: [
			...listFlags(args).map((flag) => ({
				word: flag,
				description: describe(flag, args),
			})),
			HELP,
		],
		values: Object.fromEntries(
			rows.flatMap(([name, flag]) => {
				const values = valuesOf(flag);
				return flag.type === "string" && values
					? [[`--${name}`, values] as const]
					: [];
			}),
		),
		arguments: rows.flatMap(([, { type, words = [] }]) =>
			type === "positional" ? words : [],
		),
	};
}

const toWords = (subCommands: NonNullable<Command["subCommands"]>) =>
	Promise.all(
		Object.entries(subCommands).map(async ([word, entry]): Promise<Word> => {
			const { meta } = await loadCommand(entry);
			return { word, description: meta.description };
		}),
	);

function describe(flag: string, args: Flags): string {
	const name = flag.slice(2);
	return (
		args[name]?.description ??
		args[name.replace("no-", "")]?.negativeDescription ??
		""
	);
}

const valuesOf = ({ words, valueHint }: Flag) =>
	valueHint?.startsWith("path") ? "file" : words;
