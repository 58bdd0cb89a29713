import { isLoopbackHost } from "../emulator/is-loopback-host.ts";
import { logFault } from "./faults.ts";
import { toListenError } from "./listen-error.ts";
import type { Output } from "./output.ts";
import type { Settings } from "./settings.ts";
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
	const { startEmulator } = await import("../emulator/start-emulator.ts");
	const emulator = await startEmulator({
		port,
		host,
		rateLimit,
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
		await untilStopped();
	} finally {
		await emulator.close();
	}
}

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
}
