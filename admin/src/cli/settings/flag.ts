/* The rows of the tables of flags. Help, parsing, errors, completion and docs/settings.md are made of them. */
import { UsageError } from "../usage-error.ts";

/** Reads the text of a flag. Throws a `UsageError` with its name, and without the text: that may be a secret. */
export type Reader<Value> = (text: string, name: string) => Value;

/** A flag, or with the type `positional` a word of a command. The command gets a `Value`. */
export interface Flag<Value = unknown> {
	readonly type: "string" | "boolean" | "positional";
	readonly description: string;
	/** A word for the value in the help; the flag's own name if it is empty. */
	readonly valueHint?: string;
	readonly required?: boolean;
	/** The help of the `--no-` form. */
	readonly negativeDescription?: string;
	readonly read: Reader<Value>;
	/** The value if none is given. */
	readonly fallback?: Value;
	/** The words that completion offers. */
	readonly words?: readonly string[];
	/** The environment variable, for a setting. */
	readonly variable?: string;
	/** The variable's name in earlier versions. It is read where the new one is not set. */
	readonly formerVariable?: string;
	/** Whether only the variable gives the value, because a flag would show it in process lists. */
	readonly isVariableOnly?: boolean;
}

export type Flags = Readonly<Record<string, Flag>>;

export type ValuesOf<Of extends Flags> = {
	readonly [Name in keyof Of]: Of[Name] extends Flag<infer Value>
		? Value
		: never;
};

interface Extras<Value> {
	readonly fallback?: Value;
	readonly words?: readonly string[];
}

/** A flag with a value, which is undefined if it is not given and has no fallback. */
export function option<Value>(
	valueHint: string,
	description: string,
	read: Reader<Value>,
	extras: Extras<NoInfer<Value>> & { readonly fallback: NoInfer<Value> },
): Flag<Value>;
export function option<Value>(
	valueHint: string,
	description: string,
	read: Reader<Value>,
	extras?: Extras<Value>,
): Flag<Value | undefined>;
export function option(
	valueHint: string,
	description: string,
	read: Reader<unknown>,
	extras: Extras<unknown> = {},
): Flag {
	const { fallback } = extras;
	const suffix = fallback === undefined ? "" : ` (default ${fallback})`;
	return {
		type: "string",
		description: description + suffix,
		valueHint,
		read,
		...extras,
	};
}

/** A flag that must be given. */
export const required = <Value>(
	valueHint: string,
	description: string,
	read: Reader<Value>,
): Flag<Value> => ({
	type: "string",
	description,
	required: true,
	valueHint,
	read,
});

/** A positional word, which must be given. */
export const word = <Value>(
	description: string,
	read: Reader<Value>,
	words?: readonly string[],
): Flag<Value> => ({
	type: "positional",
	description,
	required: true,
	read,
	words,
});

/** A switch. It is off, unless it has a description of its `--no-` form. */
export const toggle = (
	description: string,
	negativeDescription?: string,
): Flag<boolean> => ({
	type: "boolean",
	description,
	negativeDescription,
	read: readSwitch,
	fallback: negativeDescription !== undefined,
});

/** Reads the variable of a switch. */
const readSwitch: Reader<boolean> = (text, name) => {
	if (/^(true|1)$/.test(text)) return true;
	if (/^(false|0)$/.test(text)) return false;
	throw new UsageError(`${name} must be true or false`);
};

/** The name of a row as its flag is written: `rateLimit` as `rate-limit`. */
export const toKebab = (name: string): string =>
	name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The flags by the names under which they are written. */
export const toArgs = (flags: Flags): Flags =>
	Object.fromEntries(
		Object.entries(flags)
			.filter(([, { isVariableOnly }]) => !isVariableOnly)
			.map(([name, flag]) => [toKebab(name), flag]),
	);
