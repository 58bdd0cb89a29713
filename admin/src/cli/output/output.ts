import { colors } from "consola/utils";
import { maskCredentials } from "./mask-credentials.ts";
import { clearProgress } from "./progress-line.ts";
import { writeError, writeOut } from "./standard-streams.ts";

/** What a command says: one JSON object a line, or text for people. */
export interface Output {
	/** Says one thing both ways; the text may be left out where people need none. */
	say(event: Record<string, unknown>, text?: string): void;
	/** What one should look at, on standard error. */
	warn(message: string): void;
	/** Text for people only. */
	tell(text: string): void;
}

export function createOutput(
	json: boolean,
	write: (text: string) => unknown = writeOut,
): Output {
	const print = (line: string) => {
		clearProgress();
		write(`${line}\n`);
	};
	return {
		say(event, text) {
			if (json) print(toJsonLine(event));
			else if (text !== undefined) print(text);
		},
		warn(given) {
			clearProgress();
			const message = maskCredentials(given);
			writeError(
				`${json ? toJsonLine({ event: "warning", message }) : paint.yellow(printable(message))}\n`,
			);
		},
		tell(text) {
			if (!json) print(text);
		},
	};
}

/** Control characters, C1 and DEL too, and those that turn the direction of text around. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Text that others wrote, escaped: it can neither forge a line, speak to the terminal, nor turn what is read around. */
export const printable = (text: string): string =>
	text.replace(
		UNPRINTABLE,
		(character) =>
			`\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);

/** One line of JSON, which a terminal may show: escaped like text, it stays the same JSON. */
export const toJsonLine = (value: unknown): string =>
	printable(JSON.stringify(value));

/** Whether a stream gets colours: a terminal does, unless somebody says no; FORCE_COLOR gives them to anything. */
export function hasColours(
	stream: { readonly isTTY?: boolean },
	env: Readonly<Record<string, string | undefined>>,
	args: readonly string[],
): boolean {
	if (env.NO_COLOR || args.includes("--no-color")) return false;
	if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== "0";
	return stream.isTTY === true && env.TERM !== "dumb";
}

const isColourful = hasColours(process.stdout, process.env, process.argv);

/** Colours that switch off. consola's own also colour what a build server writes to a file. */
const shade =
	(name: "green" | "red" | "yellow" | "cyan" | "dim" | "bold") =>
	(text: string | number): string =>
		isColourful ? colors[name](text) : String(text);

export const paint = {
	green: shade("green"),
	red: shade("red"),
	yellow: shade("yellow"),
	cyan: shade("cyan"),
	dim: shade("dim"),
	bold: shade("bold"),
};
