/* `partnerwire serve --emulator`: runs the emulator, and refuses settings that it must not have. */
import { isLoopbackHost } from "../emulator/is-loopback-host.ts";
import { takeFault } from "./faults.ts";
import { toListenError } from "./listen/listen-error.ts";
import { type Output, printable } from "./output/output.ts";
import { readVariable } from "./settings/environment.ts";
import { toKebab } from "./settings/flag.ts";
import { type Settings, toVariable } from "./settings/settings.ts";
import { toDeliveryOptions } from "./settings/to-delivery-options.ts";
import { UsageError } from "./usage-error.ts";

interface RunEmulatorOptions {
	/** The flags that were given, by the names under which they are written. */
	readonly given: Given;
	/** The names of the settings that `serve` takes. */
	readonly known: readonly (keyof Settings)[];
	readonly output: Output;
	/** Resolves when the emulator is to end. */
	readonly stopped: Promise<void>;
}

type Given = Readonly<Record<string, unknown>>;

/** Serves the emulator until it is stopped. Throws a `UsageError` for settings that an emulator must not have. */
export async function runEmulator(
	settings: Settings,
	{ given, known, output, stopped }: RunEmulatorOptions,
): Promise<void> {
	refuseMisuse(settings, given);
	warnOfVariables(settings, known, output);
	const { port, host, seed, startAt, rateLimit, retrySchedule } = settings;
	// The emulator's default depends on the clock, so the limit is passed on only if it was set.
	const isLimited = given["rate-limit"] !== undefined || isSet("rateLimit");
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
const isSet = (name: keyof Settings) =>
	readVariable(toVariable(name)) !== undefined;

/** Advice on how to leave out a setting: the flag, or the variable. */
const leaveOut = (given: Given, name: keyof Settings) =>
	given[toKebab(name)] !== undefined || !isSet(name)
		? `leave --${toKebab(name)} out`
		: `unset ${toVariable(name)}`;

function refuseMisuse(
	{ emulator, host, publicUrl, noWorker }: Settings,
	given: Given,
): void {
	if (!emulator)
		throw new UsageError(
			`--seed and --start-at (${toVariable("seed")}, ${toVariable("startAt")}) are the emulator's: add --emulator`,
		);
	if (!isLoopbackHost(host))
		throw new UsageError(
			`--emulator asks for no key, so it serves this machine alone: ${printable(host)} is not 127.0.0.1, ::1 or localhost; ${leaveOut(given, "host")}`,
		);
	if (publicUrl !== undefined)
		throw new UsageError(
			`--emulator asks for no key, so it serves this machine alone: ${leaveOut(given, "publicUrl")}`,
		);
	if (given.database !== undefined)
		throw new UsageError(
			"--emulator has a database of its own, which a reset throws away: leave --database out",
		);
	if (noWorker)
		throw new UsageError(
			`--emulator delivers by itself: ${leaveOut(given, "noWorker")}`,
		);
	const ignored = Object.entries(given)
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
	known: readonly (keyof Settings)[],
	output: Output,
): void {
	// A name that `serve` does not take may be set for other commands.
	const ignored = known.filter(
		(name) =>
			!TAKEN.has(toKebab(name)) && isSet(name) && settings[name] !== false,
	);
	if (ignored.length > 0)
		output.warn(
			`--emulator does not follow ${ignored.map(toVariable).join(", ")} of the environment`,
		);
}
