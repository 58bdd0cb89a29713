/** Resolves on SIGINT or SIGTERM; a second signal ends the process at once. */
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
