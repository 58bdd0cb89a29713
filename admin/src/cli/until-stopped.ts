import { beginServing, untilReaderGone } from "./output/standard-streams.ts";

/**
 * Resolves on SIGINT or SIGTERM; a second signal ends the process at once. A command that stays up calls it before it opens anything: a
 * signal that comes while it starts ends it in order too. From then on, output that cannot be written ends nothing; with `endsWithReader`, the
 * end of whoever reads standard output is like a signal.
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
