/**
 * Resolves on SIGINT or SIGTERM; a second signal ends the process at once. A command that stays up calls it before it opens anything: a
 * signal that comes while it starts ends it in order too.
 */
export function untilStopped(): Promise<void> {
	return new Promise((resolve) => {
		let isStopping = false;
		for (const signal of ["SIGINT", "SIGTERM"] as const) {
			process.on(signal, () => {
				if (isStopping) process.exit(130);
				isStopping = true;
				resolve();
			});
		}
	});
}
