import { isLoopbackHost } from "../emulator/is-loopback-host.ts";
import { takeFault } from "./faults.ts";
import { toListenError } from "./listen/listen-error.ts";
import { type Output, printable } from "./output/output.ts";
import { readVariable } from "./settings/environment.ts";
import { type Settings, toKebab, toVariable } from "./settings/settings.ts";
import { toDeliveryOptions } from "./settings/to-delivery-options.ts";
import { UsageError } from "./usage-error.ts";

interface RunEmulatorOptions {
	/** The flags that were given. */
	readonly flags: Flags;
	/** The flags of `serve`, in kebab-case. */
	readonly known: readonly string[];
	readonly output: Output;
	/** Resolves when the emulator is to end. */
	readonly stopped: Promise<void>;
}

type Flags = Readonly<Record<string, unknown>>;

/** Serves the emulator until it is stopped. Throws a `UsageError` for settings that an emulator must not have. */
export async function runEmulator(
	settings: Settings,
	{ flags, known, output, stopped }: RunEmulatorOptions,
): Promise<void> {
	refuseMisuse(settings, flags);
	warnOfVariables(settings, known, output);
	const { port, host, seed, startAt, rateLimit, retrySchedule } = settings;
	// The emulator's default depends on the clock, so the limit is passed on only if it was set.
	const isLimited = isGiven(flags, "rate-limit") || isSet("rateLimit");
	const { startEmulator } = await import("../emulator/start-emulator.ts");
	const emulator = await startEmulator({
		port,
		host,
		...(isLimited && { rateLimit }),
		deliver: toDeliveryOptions(settings),
		...(seed !== undefined && { seed }),
		...(startAt !== undefined && { startAt }),
		...(retrySchedule && { retrySchedule }),
		onFault: takeFault,
	}).catch((error) => {
		throw toListenError(error, settings);
	});
	try {
		const { url, keys, companyUuid, userUuid } = emulator;
		output.say(
			{
				event: "seeded",
				company_uuid: companyUuid,
				user_uuid: userUuid,
				keys,
			},
			[
				"Seeded; the API keys are the same each time:",
				`  read   ${keys.read}`,
				`  write  ${keys.write}`,
				`  full   ${keys.full}`,
			].join("\n"),
		);
		output.say(
			{
				event: "ready",
				url,
				pid: process.pid,
				inbox_url: emulator.inbox.url(),
			},
			`Emulating at ${url}, controlled at ${url}/_emulator without a key\nA webhook URL that it receives itself: ${emulator.inbox.url()}`,
		);
		await stopped;
	} finally {
		await emulator.close();
	}
}

/** The flags of `serve` that an emulator follows, or that do not matter for it. */
export const TAKEN: ReadonlySet<string> = new Set([
	..."emulator seed start-at port host json dev worker".split(" "),
	..."rate-limit retry-schedule pass-after retention-days".split(" "),
	..."token-lifetime omit-claims concurrency per-integration".split(" "),
	..."allow-http allow-private color".split(" "),
]);
const isGiven = (flags: Flags, wanted: string) =>
	Object.entries(flags).some(
		([name, value]) => value !== undefined && toKebab(name) === wanted,
	);
const isSet = (name: keyof Settings) =>
	readVariable(toVariable(name)) !== undefined;

/** Advice on how to leave out a setting: the flag, or the variable. */
const leaveOut = (flags: Flags, name: keyof Settings) =>
	isGiven(flags, toKebab(name)) || !isSet(name)
		? `leave --${toKebab(name)} out`
		: `unset ${toVariable(name)}`;

function refuseMisuse(
	{ emulator, host, publicUrl, noWorker }: Settings,
	flags: Flags,
): void {
	if (!emulator)
		throw new UsageError(
			`--seed and --start-at (${toVariable("seed")}, ${toVariable("startAt")}) are the emulator's: add --emulator`,
		);
	if (!isLoopbackHost(host))
		throw new UsageError(
			`--emulator asks for no key, so it serves this machine alone: ${printable(host)} is not 127.0.0.1, ::1 or localhost; ${leaveOut(flags, "host")}`,
		);
	if (publicUrl !== undefined)
		throw new UsageError(
			`--emulator asks for no key, so it serves this machine alone: ${leaveOut(flags, "publicUrl")}`,
		);
	if (flags.database !== undefined)
		throw new UsageError(
			"--emulator has a database of its own, which a reset throws away: leave --database out",
		);
	if (noWorker)
		throw new UsageError(
			`--emulator delivers by itself: ${leaveOut(flags, "noWorker")}`,
		);
	const ignored = Object.entries(flags)
		.filter(([, value]) => value !== undefined && value !== false)
		.map(([name]) => toKebab(name))
		.filter((name) => name !== "_" && !TAKEN.has(name));
	if (ignored.length > 0)
		throw new UsageError(
			`--emulator does not follow ${[...new Set(ignored)].map((name) => `--${name}`).join(", ")}: leave it out`,
		);
}

/** Warns of ignored variables. Ignored flags are refused, but a variable may be set for other commands. */
function warnOfVariables(
	settings: Settings,
	known: readonly string[],
	output: Output,
): void {
	const names = Object.keys(settings) as (keyof Settings)[];
	const ignored = names.filter((name) => {
		const flag = toKebab(name);
		// The key has a variable, but no flag.
		const isServed = known.includes(flag) || name === "secretKey";
		return (
			isServed && !TAKEN.has(flag) && isSet(name) && settings[name] !== false
		);
	});
	if (ignored.length > 0)
		output.warn(
			`--emulator does not follow ${ignored.map(toVariable).join(", ")} of the environment`,
		);
}
