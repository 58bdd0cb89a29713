import { colors } from "consola/utils";
import { maskCredentials } from "./mask-credentials.ts";
import { clearProgress } from "./progress-line.ts";
import { writeError, writeOut } from "./standard-streams.ts";

/** The output of a command: one JSON object per line, or text for people. */
export interface Output {
	/** Prints the event with `--json`, otherwise the text. Without a text, people see nothing. */
	say(event: Record<string, unknown>, text?: string): void;
	/** Prints a warning to standard error. */
	warn(message: string): void;
	/** Prints text for people. With `--json` it prints nothing. */
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
		warn(text) {
			clearProgress();
			const message = maskCredentials(text);
			writeError(
				`${json ? toJsonLine({ event: "warning", message }) : paint.yellow(printable(message))}\n`,
			);
		},
		tell(text) {
			if (!json) print(text);
		},
	};
}

/** Control characters, including C1 and DEL, and characters that change the direction of text. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Escapes text from others, so that it cannot forge a line, control the terminal, or reverse the text around it. */
export const printable = (text: string): string =>
	text.replace(
		UNPRINTABLE,
		(character) =>
			`\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);

/** One line of JSON, safe for a terminal. The escapes are valid JSON, so the value stays the same. */
export const toJsonLine = (value: unknown): string =>
	printable(JSON.stringify(value));

/** Whether a stream gets colours. A terminal does, unless NO_COLOR or --no-color is set. FORCE_COLOR forces them. */
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

/** Colours that can be switched off. consola's own checks would also colour the files of a build server. */
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
