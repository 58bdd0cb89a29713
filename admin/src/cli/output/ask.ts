import { createInterface } from "node:readline";

/** Asks a yes-or-no question on the terminal. Anything but yes is no, also the end of the input. */
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
