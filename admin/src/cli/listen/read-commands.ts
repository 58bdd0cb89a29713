import { createInterface } from "node:readline";

/** What one may type while `listen` runs. */
export const TYPED =
	"type a number and Enter to send that event again, l to list the numbers, ? for this";

export interface Typed {
	readonly replay: (number: number) => void;
	readonly list: () => void;
	readonly tell: (text: string) => void;
}

/** Reads commands a line each until its end; answers how to stop. */
export function readCommands(
	input: NodeJS.ReadableStream,
	{ replay, list, tell }: Typed,
): () => void {
	// Not as a terminal of its own: Ctrl-C stays the signal that ends the program.
	const lines = createInterface({ input, terminal: false });
	lines.on("line", (line) => {
		const word = line.trim();
		if (word === "") return;
		if (/^#?\d{1,9}$/.test(word)) replay(Number(word.replace("#", "")));
		else if (word === "l") list();
		else tell(TYPED);
	});
	// A terminal that has gone cannot be read; what arrives is still received.
	lines.on("error", () => lines.close());
	return () => lines.close();
}
