/** A job that runs at an interval, such as the removal of old deliveries. */
export interface MaintenanceJob {
	readonly everyMs: number;
	/** Runs the job. When the signal is aborted, it throws the signal's reason between two steps. */
	readonly run: (signal: AbortSignal) => Promise<unknown>;
}

export interface Maintenance {
	/** Runs every job now. A job that is running began before, so it is awaited and run again. */
	runAll(): Promise<void>;
	/** Starts no more jobs, aborts the running ones and waits for them. */
	stop(): Promise<void>;
}

/** Runs each job now and then at its interval, never twice at the same time. A fault is reported and the job goes on. */
export function startMaintenance(
	chores: readonly MaintenanceJob[],
	onFault: (error: unknown) => void,
): Maintenance {
	const stopping = new AbortController();
	const { signal } = stopping;
	const running = new Set<Promise<void>>();
	const ticks: (() => void)[] = [];
	const timers = chores.map(({ everyMs, run }) => {
		let isRunning = false;
		const tick = () => {
			if (isRunning) return;
			isRunning = true;
			const done = run(signal)
				.then(
					() => {},
					(error) => {
						if (error !== signal.reason) onFault(error);
					},
				)
				.finally(() => {
					isRunning = false;
					running.delete(done);
				});
			running.add(done);
		};
		ticks.push(tick);
		tick();
		return setInterval(tick, everyMs);
	});
	return {
		async runAll() {
			await Promise.all(running);
			for (const tick of ticks) tick();
			await Promise.all(running);
		},
		async stop() {
			for (const timer of timers) clearInterval(timer);
			stopping.abort();
			await Promise.all(running);
		},
	};
}
