/* Reads the flags of a command, and all settings: a flag wins over its variable, and that over the default. */
import { UsageError } from "../usage-error.ts";
import { readVariable } from "./environment.ts";
import { type Flag, type Flags, toKebab, type ValuesOf } from "./flag.ts";
import { SETTINGS, type Settings } from "./settings.ts";

type Given = Readonly<Record<string, unknown>>;
type Environment = Readonly<Record<string, string | undefined>>;

/** The values of a command: those of its own flags, and all other settings. */
export type Values<Own extends Flags> = Omit<Settings, keyof Own> &
	ValuesOf<Own> &
	Pick<Settings, "json">;

/**
 * Reads a command's own flags and all settings. An own flag hides a setting of its name. Throws one `UsageError` that names
 * every problem.
 */
export function readFlags<Own extends Flags>(
	own: Own,
	given: Given,
	env: Environment = process.env,
): Values<Own> {
	const values: Record<string, unknown> = {};
	const problems: string[] = [];
	for (const [name, flag] of Object.entries<Flag>({ ...SETTINGS, ...own })) {
		try {
			values[name] = readFlag(name, flag, given, env);
		} catch (error) {
			if (!(error instanceof UsageError)) throw error;
			problems.push(error.message);
		}
	}
	if (problems.length > 0) throw new UsageError(problems.join("; "));
	if ((values.alertUrl === undefined) !== (values.alertSecret === undefined))
		throw new UsageError(
			"--alert-url and --alert-secret need each other: alerts are signed",
		);
	if (values.dev)
		Object.assign(values, { allowHttp: true, allowPrivate: true });
	// The cast is true: each value was read by the row of its name.
	return values as Values<Own>;
}

/** Reads the settings alone. */
export const readSettings = (given: Given, env?: Environment): Settings =>
	readFlags({}, given, env);

function readFlag(
	name: string,
	flag: Flag,
	given: Given,
	env: Environment,
): unknown {
	const value = given[toKebab(name)];
	if (typeof value === "boolean") return value;
	if (typeof value === "string")
		return flag.read(
			value,
			flag.type === "positional" ? `the ${name}` : `--${toKebab(name)}`,
		);
	const { variable, fallback } = flag;
	const text = variable === undefined ? undefined : readVariable(variable, env);
	return variable === undefined || text === undefined
		? fallback
		: flag.read(text, variable);
}

/** The signing secret, for commands that need one. Throws a `UsageError` without it. */
export function requireSecret({ secret }: Pick<Settings, "secret">): string {
	if (secret !== undefined) return secret;
	throw new UsageError(
		"the signing secret is needed: set PARTNERWIRE_SECRET, or give --secret",
	);
}
