import { createInterface } from "node:readline";

/** The commands that can be typed while `listen` runs. */
export const TYPED =
	"type a number and Enter to send that event again, l to list the numbers, ? for this";

export interface Typed {
	readonly replay: (number: number) => void;
	readonly list: () => void;
	readonly tell: (text: string) => void;
}

/** Reads commands, one per line, until the input ends. Returns a function that stops it. */
export function readCommands(
	input: NodeJS.ReadableStream,
	{ replay, list, tell }: Typed,
): () => void {
	// `terminal: false` leaves Ctrl-C as the signal that ends the program.
	const lines = createInterface({ input, terminal: false });
	lines.on("line", (line) => {
		const word = line.trim();
		if (word === "") return;
		if (/^#?\d{1,9}$/.test(word)) replay(Number(word.replace("#", "")));
		else if (word === "l") list();
		else tell(TYPED);
	});
	// If the terminal is gone, commands end, but requests are still received.
	lines.on("error", () => lines.close());
	return () => lines.close();
}
