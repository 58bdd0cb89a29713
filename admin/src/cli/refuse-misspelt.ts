import type { ArgDef, ArgsDef } from "citty";
import { printable } from "./output/output.ts";
import { suggest } from "./suggest.ts";
import { emptyValue, UsageError } from "./usage-error.ts";

/** Throws a `UsageError` for an unknown flag, and for a flag without its value. */
export function refuseUnknownFlags(
	rawArgs: readonly string[],
	args: ArgsDef,
): void {
	for (let index = 0; index < rawArgs.length; index++) {
		const raw = rawArgs[index] as string;
		if (raw === "--") break;
		if (!raw.startsWith("-") || raw === "-") continue;
		const { flag, def, value: attached, hasValue } = readFlag(raw, args);
		if (!def) throw unknownFlag(flag, args);
		if (def.type === "boolean") refuseHalfSaid(flag, attached, args);
		if (def.type !== "string" || hasValue) continue;
		const value = rawArgs[++index];
		if (value === undefined || value.startsWith("--"))
			throw new UsageError(
				`${flag} needs a value${def.valueHint ? `: ${flag} <${def.valueHint}>` : ""}`,
			);
	}
}

/** Refuses other values than true and false. citty takes every value but `false` as true, so `--yes=no` would mean yes. */
function refuseHalfSaid(
	flag: string,
	value: string | undefined,
	args: ArgsDef,
): void {
	if (value === undefined) return;
	if (!find(flag.slice(2), args))
		throw new UsageError(`${flag} takes no value`);
	if (value !== "true" && value !== "false")
		throw new UsageError(
			`${flag} is true or false: give ${flag}, or ${flag}=false`,
		);
}

/** Throws a `UsageError` for more words than a command takes. */
export function refuseWordsTooMany(words: number, args: ArgsDef): void {
	const positionals = Object.values(args).filter(
		({ type }) => type === "positional",
	).length;
	if (words > positionals)
		throw new UsageError(`${words} words given, ${positionals} expected`);
}

/** Throws a `UsageError` for an empty word, such as that of an unset variable: it would name nothing, or everything. */
export function refuseEmptyWords(
	given: Readonly<Record<string, unknown>>,
	args: ArgsDef,
): void {
	for (const [name, { type }] of Object.entries(args))
		if (type === "positional" && given[name] === "")
			throw emptyValue(`the ${name}`);
}

function readFlag(
	raw: string,
	args: ArgsDef,
): {
	flag: string;
	def: ArgDef | undefined;
	value: string | undefined;
	hasValue: boolean;
} {
	const [flag = "", ...rest] = raw.split("=");
	const hasValue = rest.length > 0;
	const value = hasValue ? rest.join("=") : undefined;
	const own = flag.startsWith("--") ? find(flag.slice(2), args) : undefined;
	if (own) return { flag, def: own, value, hasValue };
	// Only booleans have a `--no-` form.
	const switched = find(/^--no-(.+)/.exec(flag)?.[1] ?? "", args);
	const def = switched?.type === "boolean" ? switched : undefined;
	return { flag, def, value, hasValue };
}

const find = (name: string, args: ArgsDef): ArgDef | undefined =>
	Object.hasOwn(args, name) && args[name]?.type !== "positional"
		? args[name]
		: undefined;

function unknownFlag(flag: string, args: ArgsDef): UsageError {
	const known = listFlags(args);
	const meant = suggest(flag, known);
	return new UsageError(
		`unknown flag ${printable(flag)}; ${meant === undefined ? `known: ${known.join(" ")}` : `did you mean ${meant}?`}`,
	);
}

/** The flags of a command as they are written, `--no-` forms included. */
export function listFlags(args: ArgsDef): string[] {
	return Object.entries(args)
		.filter(([, { type }]) => type !== "positional")
		.flatMap(([name, def]) => [
			`--${name}`,
			...("negativeDescription" in def && def.negativeDescription
				? [`--no-${name}`]
				: []),
		])
		.sort();
}
