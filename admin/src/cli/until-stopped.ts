/* Stops commands that stay up: on a signal, or when npm, which started them, has ended. */
import { beginServing, untilReaderGone } from "./output/standard-streams.ts";

/** How often to look whether npm is still there. */
const LOOK_MS = 250;

const ECHO_MS = 500;

/** The process that started this one, as this one began. */
const starter = process.ppid;

/**
 * Resolves on SIGINT, SIGTERM or SIGHUP; a second signal ends the process at once. Long-running commands call it before they
 * open anything, so that a signal during the start ends them in order too. From then on, output that cannot be written does
 * not end the process. With `endsWithReader`, the end of the reader of standard output counts as a signal.
 */
export function untilStopped({ endsWithReader = false } = {}): Promise<void> {
	return new Promise((resolve) => {
		let stoppedAt: number | undefined;
		beginServing();
		if (endsWithReader)
			untilReaderGone().addEventListener("abort", () => resolve());
		const stop = () => {
			stoppedAt = performance.now();
			resolve();
		};
		for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
			process.on(signal, () => {
				if (stoppedAt === undefined) stop();
				else if (!isEcho(stoppedAt)) process.exit(130);
			});
		}
		if (isStartedByNpm()) onStarterGone(stop);
	});
}

/**
 * Whether a signal comes so soon after the first that npm has passed it on. A terminal sends Ctrl-C to both, and where the
 * shell replaces itself with the command, npm's copy arrives too.
 */
const isEcho = (stoppedAt: number) =>
	isStartedByNpm() && performance.now() - stoppedAt < ECHO_MS;

/** npx, `npm start` and `npm run` set this variable. */
const isStartedByNpm = () => process.env.npm_lifecycle_event !== undefined;

/**
 * npm starts a command by a shell, and passes a signal to that shell alone, which ends without passing it on. So a command
 * that npm started stops when that shell is gone (docs/decisions.md#started-by-npm).
 */
function onStarterGone(stop: () => void): void {
	const timer = setInterval(() => {
		if (process.ppid === starter) return;
		clearInterval(timer);
		stop();
	}, LOOK_MS);
	timer.unref();
}
