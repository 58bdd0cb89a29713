/* How a command that stays up is told to stop. */
import { beginServing, untilReaderGone } from "./output/standard-streams.ts";

/** How often to look whether npm is still there. */
const LOOK_MS = 250;

/** The process that started this one, as this one began. */
const starter = process.ppid;

/**
 * Resolves on SIGINT, SIGTERM or SIGHUP; a second signal ends the process at once. Long-running commands call it before they
 * open anything, so that a signal during the start ends them in order too. From then on, output that cannot be written does
 * not end the process. With `endsWithReader`, the end of the reader of standard output counts as a signal.
 */
export function untilStopped({ endsWithReader = false } = {}): Promise<void> {
	return new Promise((resolve) => {
		let isStopping = false;
		beginServing();
		if (endsWithReader)
			untilReaderGone().addEventListener("abort", () => resolve());
		const stop = () => {
			isStopping = true;
			resolve();
		};
		for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
			process.on(signal, () => {
				if (isStopping) process.exit(130);
				stop();
			});
		}
		if (isStartedByNpm()) onStarterGone(stop);
	});
}

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
