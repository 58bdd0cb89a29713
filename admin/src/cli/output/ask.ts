import { createInterface } from "node:readline";

/** Asks a person on the terminal; anything but yes, the end of the input included, is no. */
export async function ask(question: string): Promise<boolean> {
	const lines = createInterface({
		input: process.stdin,
		output: process.stderr,
		prompt: `${question} [y/N] `,
	});
	lines.prompt();
	for await (const line of lines) return /^y(es)?$/i.test(line.trim());
	return false;
}
