/** Resolves to what `work` does, or to `late` once the time is over; a rejection after that is swallowed. */
export function withTimeLimit<T, L>(
	work: Promise<T>,
	limitMs: number,
	late: () => L,
): Promise<T | L> {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(() => resolve(late()), Math.max(0, limitMs));
		work.then(
			(value) => {
				clearTimeout(timer);
				resolve(value);
			},
			(error) => {
				clearTimeout(timer);
				reject(error);
			},
		);
	});
}

/** Waits. */
export function pause(ms: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, ms));
}
