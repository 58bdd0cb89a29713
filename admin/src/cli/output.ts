import { colors } from "consola/utils";

/** What a command says: one JSON object a line, or text for people. */
export interface Output {
	/** Says one thing both ways; the text may be left out where people need none. */
	say(event: Record<string, unknown>, text?: string): void;
	/** Text for people only. */
	tell(text: string): void;
}

export function createOutput(json: boolean): Output {
	const print = (line: string) => process.stdout.write(`${line}\n`);
	return {
		say(event, text) {
			if (json) print(JSON.stringify(event));
			else if (text !== undefined) print(text);
		},
		tell(text) {
			if (!json) print(text);
		},
	};
}

/** Text that others wrote, its control characters escaped: it can neither forge a line nor speak to the terminal. */
export const printable = (text: string): string =>
	text.replace(
		/\p{Cc}/gu,
		(character) =>
			`\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);

/** Colours that switch off: NO_COLOR, or no terminal. */
export const paint = colors;
