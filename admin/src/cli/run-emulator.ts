import { isLoopbackHost } from "../emulator/is-loopback-host.ts";
import { logFault } from "./faults.ts";
import { toListenError } from "./listen-error.ts";
import type { Output } from "./output.ts";
import { type Settings, toKebab } from "./settings.ts";
import { toDeliveryOptions } from "./to-delivery-options.ts";
import { untilStopped } from "./until-stopped.ts";
import { UsageError } from "./usage-error.ts";

/** Serves the emulator until it is stopped. Throws a `UsageError` for what an emulator must not do. */
export async function runEmulator(
	settings: Settings,
	flags: Readonly<Record<string, unknown>>,
	output: Output,
): Promise<void> {
	refuseMisuse(settings, flags);
	const { port, host, seed, startAt, rateLimit, retrySchedule } = settings;
	// Its default depends on the clock: only what was asked for is passed on.
	const isLimited =
		isGiven(flags, "rate-limit") ||
		(process.env.PARTNERWIRE_RATE_LIMIT ?? "") !== "";
	// From here on a signal ends it in order, with its folder removed.
	const stopped = untilStopped();
	const { startEmulator } = await import("../emulator/start-emulator.ts");
	const emulator = await startEmulator({
		port,
		host,
		...(isLimited && { rateLimit }),
		deliver: toDeliveryOptions(settings),
		...(seed !== undefined && { seed }),
		...(startAt !== undefined && { startAt }),
		...(retrySchedule && { retrySchedule }),
		onFault: logFault,
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

/** The flags of `serve` that an emulator follows, or that change nothing about it. */
const TAKEN = new Set([
	..."emulator seed start-at port host json dev worker".split(" "),
	..."rate-limit retry-schedule pass-after retention-days".split(" "),
	..."token-lifetime omit-claims concurrency per-integration".split(" "),
	..."allow-http allow-private color".split(" "),
]);
const isGiven = (flags: Readonly<Record<string, unknown>>, wanted: string) =>
	Object.entries(flags).some(
		([name, value]) => value !== undefined && toKebab(name) === wanted,
	);

function refuseMisuse(
	{ emulator, host, publicUrl, noWorker }: Settings,
	flags: Readonly<Record<string, unknown>>,
): void {
	if (!emulator)
		throw new UsageError(
			"--seed and --start-at are the emulator's: add --emulator",
		);
	if (!isLoopbackHost(host))
		throw new UsageError(
			`--emulator asks for no key, so it serves this machine alone: ${host} is not 127.0.0.1, ::1 or localhost; leave --host out`,
		);
	if (publicUrl !== undefined)
		throw new UsageError(
			"--emulator asks for no key, so it serves this machine alone: leave --public-url out",
		);
	if (flags.database !== undefined)
		throw new UsageError(
			"--emulator has a database of its own, which a reset throws away: leave --database out",
		);
	if (noWorker)
		throw new UsageError(
			"--emulator delivers by itself: leave --no-worker out",
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
