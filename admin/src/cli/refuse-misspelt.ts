/* Refuses flags and words that a command does not have. citty would ignore them. */
import { printable } from "./output/output.ts";
import type { Flag, Flags } from "./settings/flag.ts";
import { suggest } from "./suggest.ts";
import { emptyValue, UsageError } from "./usage-error.ts";

/** Throws a `UsageError` for an unknown flag, and for a flag without its value. */
export function refuseUnknownFlags(
	rawArgs: readonly string[],
	args: Flags,
): void {
	for (let index = 0; index < rawArgs.length; index++) {
		const raw = rawArgs[index] as string;
		if (raw === "--") break;
		if (!raw.startsWith("-") || raw === "-") continue;
		const [written = "", attached] = raw.split(/=(.*)/s);
		const flag = findFlag(written, args);
		if (flag === undefined) throw unknownFlag(written, args);
		if (flag.type === "boolean") {
			refuseOddSwitch(written, attached, args);
			continue;
		}
		if (attached !== undefined) continue;
		const value = rawArgs[++index];
		if (value === undefined || value.startsWith("--"))
			throw new UsageError(
				`${written} needs a value${flag.valueHint ? `: ${written} <${flag.valueHint}>` : ""}`,
			);
	}
}

/** Finds the flag of `--name`, or the switch of `--no-name`. */
function findFlag(written: string, args: Flags): Flag | undefined {
	const find = (name = "") =>
		Object.hasOwn(args, name) && args[name]?.type !== "positional"
			? args[name]
			: undefined;
	const own = find(/^--(.+)/.exec(written)?.[1]);
	if (own) return own;
	const negated = find(/^--no-(.+)/.exec(written)?.[1]);
	return negated?.type === "boolean" ? negated : undefined;
}

/** Refuses other values than true and false. citty takes every value but `false` as true, so `--yes=no` would mean yes. */
function refuseOddSwitch(
	written: string,
	value: string | undefined,
	args: Flags,
): void {
	if (value === undefined) return;
	if (!Object.hasOwn(args, written.slice(2)))
		throw new UsageError(`${written} takes no value`);
	if (value !== "true" && value !== "false")
		throw new UsageError(
			`${written} is true or false: give ${written}, or ${written}=false`,
		);
}

/**
 * Throws a `UsageError` for more words than a command takes, and for an empty word, such as that of an unset variable: it
 * would name nothing, or everything.
 */
export function refuseWords(
	given: Readonly<{ _: readonly string[] } & Record<string, unknown>>,
	args: Flags,
): void {
	const names = Object.keys(args).filter(
		(name) => args[name]?.type === "positional",
	);
	if (given._.length > names.length)
		throw new UsageError(
			`${given._.length} words given, ${names.length} expected`,
		);
	for (const name of names)
		if (given[name] === "") throw emptyValue(`the ${name}`);
}

function unknownFlag(written: string, args: Flags): UsageError {
	const known = listFlags(args);
	const meant = suggest(written, known);
	return new UsageError(
		`unknown flag ${printable(written)}; ${meant === undefined ? `known: ${known.join(" ")}` : `did you mean ${meant}?`}`,
	);
}

/** The flags of a command as they are written, `--no-` forms included. */
export const listFlags = (args: Flags): string[] =>
	Object.entries(args)
		.filter(([, { type }]) => type !== "positional")
		.flatMap(([name, { negativeDescription }]) => [
			`--${name}`,
			...(negativeDescription ? [`--no-${name}`] : []),
		])
		.sort();
