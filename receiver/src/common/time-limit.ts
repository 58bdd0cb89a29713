/** Resolves to the result of `work`, or to that of `onTimeout` when the time is over. A later rejection is swallowed. */
export function withTimeLimit<T, L>(
	work: Promise<T>,
	limitMs: number,
	onTimeout: () => L,
): Promise<T | L> {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(() => resolve(onTimeout()), Math.max(0, limitMs));
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

/** Waits for a time. */
export function pause(ms: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, ms));
}
