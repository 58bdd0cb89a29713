/** The compared sizes. A quadratic step costs a hundred times more for each byte of the large one. */
const SMALL = 10_000;
const LARGE = 1_000_000;
/** A limit between linear and quadratic. A logarithm, cache misses and a busy machine stay far below it. */
export const MOST_GROWTH = 20;
/** A shorter time is no attack, whatever its growth: below this, the machine's noise decides. */
const FREE_MS = 50;
/** If a tenth of the largest input takes this time, it is not linear on any machine. */
const HOPELESS_MS = 8_000;

/** Processor time, so that other programs on the machine do not count. */
const timeOf = async (work: () => unknown): Promise<number> => {
	const start = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(start);
	return (user + system) / 1000;
};

async function bestOf(runs: number, work: () => unknown): Promise<number> {
	let best = Number.POSITIVE_INFINITY;
	for (let run = 0; run < runs; run++)
		best = Math.min(best, await timeOf(work));
	return best;
}

/**
 * By which factor the work for each byte grows from a small input to the largest that its entry point accepts. It is at most
 * `MOST_GROWTH` if the time is linear. `prepare` makes an input of about this many bytes, untimed, and returns the work on it, which may
 * run several times.
 */
export async function growthOf(
	prepare: (bytes: number) => () => unknown,
	{ largest = LARGE } = {},
): Promise<number> {
	// This does not wait hours for a quadratic step, and ends early if the time is clearly linear.
	const middleMs = await timeOf(prepare(largest / 10));
	if (middleMs > HOPELESS_MS) return Number.POSITIVE_INFINITY;
	if (middleMs * 100 < FREE_MS) return 0;
	const smallMs = await bestOf(20, prepare(SMALL));
	const growthAt = (bytes: number, ms: number) =>
		ms < FREE_MS ? 0 : ms / bytes / (smallMs / SMALL);
	const large = prepare(largest);
	let largeMs = await timeOf(large);
	for (let run = 0; run < 4 && growthAt(largest, largeMs) > MOST_GROWTH; run++)
		largeMs = Math.min(largeMs, await timeOf(large));
	return growthAt(largest, largeMs);
}
