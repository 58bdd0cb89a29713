import { renderUsage } from "citty";
import { stripAnsi } from "consola/utils";
import type { Command } from "../define-command.ts";
import { hasColours, paint } from "./output.ts";

/** A command's help: how it is called, its arguments and flags, and examples. */
export async function renderHelp(
	command: Command,
	words: readonly string[],
): Promise<string> {
	const parent = ["partnerwire", ...words.slice(0, -1)].join(" ");
	const usage = await renderUsage(
		command,
		words.length > 0 ? { meta: { name: parent } } : undefined,
	);
	const isColourful = hasColours(process.stdout, process.env, process.argv);
	return [
		// Columns are filled up with spaces.
		(isColourful ? usage : stripAnsi(usage)).replace(/ +$/gm, ""),
		"",
		paint.bold("EXAMPLES"),
		"",
		...command.examples.map((example) => `  ${example}`),
		"",
	].join("\n");
}
