/* Reads the flags of a command, and all settings: a flag wins over its variable, and that over the default. */
import { isIntegrationId } from "@partnerwire/wire";
import type { Output } from "../output/output.ts";
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
	for (const variable of [flag.variable, flag.formerVariable]) {
		if (variable === undefined) continue;
		const text = readVariable(variable, env);
		if (text !== undefined) return flag.read(text, variable);
	}
	return flag.fallback;
}

/** The signing secret, for commands that need one. Throws a `UsageError` without it, and warns of an integration's id. */
export function requireSecret(
	{ secret }: Pick<Settings, "secret">,
	{ warn }: Pick<Output, "warn">,
): string {
	if (secret === undefined)
		throw new UsageError(
			"the signing secret is needed: set PARTNERWIRE_WEBHOOK_SECRET, or give --secret",
		);
	if (isIntegrationId(secret))
		warn(
			"the signing secret looks like an integration's id (a UUID of version 7): give its integration_uuid, which `integration create` printed",
		);
	return fromStandard(secret);
}

/** The plain form of a secret that is given as the libraries of Standard Webhooks take it. */
const fromStandard = (secret: string): string =>
	secret.startsWith("whsec_")
		? Buffer.from(secret.slice("whsec_".length), "base64").toString()
		: secret;
