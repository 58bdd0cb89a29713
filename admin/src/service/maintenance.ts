/** Work that is done again and again beside the queue. */
export interface MaintenanceJob {
	readonly everyMs: number;
	/** Once the signal is aborted it ends soon: between two steps it throws the signal's reason. */
	readonly run: (signal: AbortSignal) => Promise<unknown>;
}

export interface Maintenance {
	/** Runs each, by the time of now: what is under way began before, so it is waited for and run again. */
	runAll(): Promise<void>;
	/** Starts no more, tells those under way to end, and waits for them. */
	stop(): Promise<void>;
}

/** Runs each chore at once and then at its interval, never twice at the same time; a fault is reported and the chore goes on. */
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
