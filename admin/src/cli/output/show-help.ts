/* The text of `--help`. */
import { type ArgsDef, renderUsage } from "citty";
import { stripAnsi } from "consola/utils";
import type { Command } from "../define-command.ts";
import { hasColours, paint } from "./output.ts";

/** Renders a command's help: usage, arguments, flags and examples. */
export async function renderHelp(
	command: Command,
	words: readonly string[],
): Promise<string> {
	const parent = ["partnerwire", ...words.slice(0, -1)].join(" ");
	const usage = await renderUsage<ArgsDef>(
		command,
		words.length > 0 ? { meta: { name: parent } } : undefined,
	);
	const isColourful = hasColours(process.stdout, process.env, process.argv);
	return [
		// citty pads columns with spaces: they are removed at the ends of lines.
		(isColourful ? usage : stripAnsi(usage)).replace(/ +$/gm, ""),
		"",
		paint.bold("EXAMPLES"),
		"",
		...command.examples.map((example) => `  ${example}`),
		"",
	].join("\n");
}
