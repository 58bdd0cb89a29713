import { beginServing, untilReaderGone } from "./output/standard-streams.ts";

/**
 * Resolves on SIGINT or SIGTERM; a second signal ends the process at once. Long-running commands call it before they open
 * anything, so that a signal during the start ends them in order too. From then on, output that cannot be written does not
 * end the process. With `endsWithReader`, the end of the reader of standard output counts as a signal.
 */
export function untilStopped({ endsWithReader = false } = {}): Promise<void> {
	return new Promise((resolve) => {
		let isStopping = false;
		beginServing();
		if (endsWithReader)
			untilReaderGone().addEventListener("abort", () => resolve());
		for (const signal of ["SIGINT", "SIGTERM"] as const) {
			process.on(signal, () => {
				if (isStopping) process.exit(130);
				isStopping = true;
				resolve();
			});
		}
	});
}
